/**
 * Who is signed in, the members of the account, its audit log. Signing up and in, two-factor, passkeys, sessions and
 * passwords are better-auth's own routes under /app/api/auth.
 */
import { z } from 'zod';
import { timestamp } from '../answer-parts.js';
import { limits } from '../limits.js';
import { isStorableText, notStorable } from '../storable-text.js';
import { memberRoles } from '../access.js';
import type { DashboardRoute } from '../operation-entry.js';
import { pageQuery } from './page-query.js';

export const accountName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(limits.accountNameMaxLength)
  .refine(isStorableText, notStorable);

const membership = z.object({ account_id: z.string(), name: z.string(), role: z.enum(memberRoles) });

const me = z.object({
  user: z.object({
    user_id: z.string(),
    email: z.string(),
    name: z.string(),
    two_factor: z.boolean(),
    admin: z.boolean(),
  }),
  /** The account that the pages show. */
  account: membership,
  /** All that the person is a member of. */
  accounts: z.array(membership),
  /** Until when routes marked `confirmed` need no new code; null: they need one now, or two-factor is off. */
  confirmed_until: timestamp.nullable(),
  /** Devices of the simulated network and their phones can be used here. */
  sandbox: z.boolean(),
  /** Null: nobody takes payments here. */
  payments: z.enum(['sandbox', 'midtrans']).nullable(),
  /** Where customers' programs reach the api. */
  api_url: z.string(),
});

const member = z.object({
  user_id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(memberRoles),
  two_factor: z.boolean(),
  joined_at: timestamp,
});

const invitation = z.object({
  invitation_id: z.string(),
  email: z.string(),
  role: z.enum(memberRoles),
  created_at: timestamp,
  expires_at: timestamp,
});

export const auditEntry = z.object({
  entry_id: z.string(),
  at: timestamp,
  /** A person, a key, or the operator's command line. */
  actor: z.object({ id: z.string(), name: z.string().nullable() }),
  action: z.string().meta({ example: 'key.created' }),
  subject: z.string().nullable(),
});

const email = z.email('must be an e-mail address').max(254);

const inviteRequest = z.strictObject({ email, role: z.enum(memberRoles) });

export const sessionRoutes = {
  readSetup: {
    method: 'GET',
    path: '/app/api/setup',
    summary: 'What the pages before signing in need to know.',
    access: 'anyone',
    audit: null,
    body: null,
    query: null,
    data: z.object({
      sign_up: z.boolean(),
      /** Mails are not sent but shown on this page: development only. */
      mailbox_url: z.string().nullable(),
    }),
    message: 'Setup read',
    errors: [],
  },
  readMe: {
    method: 'GET',
    path: '/app/api/me',
    summary: 'Who is signed in, and into which account.',
    access: 'signed-in',
    audit: null,
    body: null,
    query: null,
    data: me,
    message: 'Session found',
    errors: [],
  },
  switchAccount: {
    method: 'POST',
    path: '/app/api/me/account',
    summary: 'Show another account that the person is a member of.',
    access: 'signed-in',
    audit: null,
    body: z.strictObject({ account_id: z.string() }),
    query: null,
    data: me,
    message: 'Account switched',
    errors: ['ACCOUNT_NOT_FOUND'],
  },
  confirmSession: {
    method: 'POST',
    path: '/app/api/me/confirm',
    summary: 'Confirm with a two-factor code (an authenticator’s or a backup code) that the person is still there.',
    access: 'signed-in',
    audit: { whose: 'all', actions: ['session.confirmed'] },
    body: z.strictObject({ code: z.string().min(6).max(32) }),
    query: null,
    data: z.object({ confirmed_until: timestamp }),
    message: 'Session confirmed',
    errors: ['CODE_NOT_ACCEPTED', 'TWO_FACTOR_OFF'],
  },
  renameAccount: {
    method: 'POST',
    path: '/app/api/account',
    summary: 'Rename the account.',
    access: 'owner',
    audit: { whose: 'all', actions: ['account.renamed'] },
    body: z.strictObject({ name: accountName }),
    query: null,
    data: z.object({ account_id: z.string(), name: z.string() }),
    message: 'Account renamed',
    errors: [],
  },
  listMembers: {
    method: 'GET',
    path: '/app/api/members',
    summary: 'Who may see the account, and who was invited.',
    access: 'viewer',
    audit: null,
    body: null,
    query: null,
    data: z.object({ members: z.array(member), invitations: z.array(invitation) }),
    message: 'Members listed',
    errors: [],
  },
  inviteMember: {
    method: 'POST',
    path: '/app/api/members/invite',
    summary: 'Mail somebody a link by which to join, valid for seven days. Inviting again replaces the link.',
    access: 'owner',
    audit: { whose: 'all', actions: ['member.invited'] },
    confirmed: true,
    body: inviteRequest,
    query: null,
    data: invitation,
    message: 'Invitation sent',
    errors: ['ALREADY_MEMBER', 'CONFIRMATION_REQUIRED'],
  },
  revokeInvitation: {
    method: 'POST',
    path: '/app/api/invitations/{invitation_id}/revoke',
    summary: 'Make an invitation’s link worthless.',
    access: 'owner',
    audit: { whose: 'all', actions: ['invitation.revoked'] },
    body: null,
    query: null,
    data: z.object({ invitation_id: z.string() }),
    message: 'Invitation revoked',
    errors: ['INVITATION_NOT_FOUND'],
  },
  readInvitation: {
    method: 'GET',
    path: '/app/api/join/{token}',
    summary: 'What the link of an invitation offers.',
    access: 'anyone',
    audit: null,
    body: null,
    query: null,
    data: z.object({ account_name: z.string(), email: z.string(), role: z.enum(memberRoles), expires_at: timestamp }),
    message: 'Invitation found',
    errors: ['INVITATION_NOT_FOUND'],
  },
  acceptInvitation: {
    method: 'POST',
    path: '/app/api/join/{token}',
    summary: 'Join the account of an invitation and switch to it. Only under the address that was invited.',
    access: 'signed-in',
    audit: { whose: 'all', actions: ['member.joined'] },
    body: null,
    query: null,
    data: me,
    message: 'Account joined',
    errors: ['INVITATION_NOT_FOUND'],
  },
  changeRole: {
    method: 'POST',
    path: '/app/api/members/{user_id}/role',
    summary: 'Give a member another role. One owner must stay.',
    access: 'owner',
    audit: { whose: 'all', actions: ['member.made_viewer', 'member.made_developer', 'member.made_owner'] },
    confirmed: true,
    body: z.strictObject({ role: z.enum(memberRoles) }),
    query: null,
    data: member,
    message: 'Role changed',
    errors: ['MEMBER_NOT_FOUND', 'LAST_OWNER', 'CONFIRMATION_REQUIRED'],
  },
  removeMember: {
    method: 'POST',
    path: '/app/api/members/{user_id}/remove',
    summary: 'End a membership. One owner must stay.',
    access: 'owner',
    audit: { whose: 'all', actions: ['member.removed'] },
    body: null,
    query: null,
    data: z.object({ user_id: z.string() }),
    message: 'Member removed',
    errors: ['MEMBER_NOT_FOUND', 'LAST_OWNER'],
  },
  listAudit: {
    method: 'GET',
    path: '/app/api/audit',
    summary: 'Who did what to the account, newest first.',
    access: 'developer',
    audit: null,
    body: null,
    query: pageQuery,
    data: z.object({ entries: z.array(auditEntry), next_cursor: z.string().nullable() }),
    message: 'Audit log read',
    errors: [],
  },
} as const satisfies Record<string, DashboardRoute>;
