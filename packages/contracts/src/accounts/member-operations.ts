/** The members of an account, and the people who were invited to it. */
import { z } from 'zod';
import { timestamp } from '../fields/timestamp.js';
import { memberRoles } from '../http/access.js';
import type { OperationForPeople } from '../http/operation-entry.js';
import { emailAddress } from './email-address.js';
import { me } from './me.js';

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

const inviteRequest = z.strictObject({ email: emailAddress, role: z.enum(memberRoles) });

/** A key that goes on working with a secret that the person saw, although the person may not know it any more. */
const knownKey = z.object({
  api_key: z.string(),
  name: z.string(),
  /** Whether this request revoked it. If not, revoke or rotate it. */
  revoked: z.boolean(),
});

/** Whether to revoke in the same step the keys that the person may not know any more. */
const revokeKeys = z.boolean().default(false);

/** Only people use these. */
export const memberOperations = {
  listMembers: {
    method: 'GET',
    path: '/app/api/members',
    summary: 'List the people who may see the account, and the people who were invited.',
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
    summary: 'Mail somebody a link to join the account, valid for seven days. A second invitation replaces the link.',
    access: 'owner',
    audit: { whose: 'all', actions: ['member.invited'] },
    confirmed: 'always',
    body: inviteRequest,
    query: null,
    data: invitation,
    message: 'Invitation sent',
    errors: ['ALREADY_MEMBER', 'CONFIRMATION_REQUIRED'],
  },
  revokeInvitation: {
    method: 'POST',
    path: '/app/api/invitations/{invitation_id}/revoke',
    summary: 'Make the link of an invitation worthless.',
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
    summary: 'Read what the link of an invitation offers.',
    access: 'anyone',
    audit: null,
    body: null,
    query: null,
    data: z.object({
      account_name: z.string(),
      email: z.string(),
      role: z.enum(memberRoles),
      /** Null: the person is not known any more. */
      invited_by: z.object({ name: z.string(), email: z.string() }).nullable(),
      /** Whether somebody signs in with the invited address already. */
      registered: z.boolean(),
      expires_at: timestamp,
    }),
    message: 'Invitation found',
    errors: ['INVITATION_NOT_FOUND'],
  },
  acceptInvitation: {
    method: 'POST',
    path: '/app/api/join/{token}',
    summary: 'Join the account of an invitation and switch to it. The person must have the invited address.',
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
    summary:
      'Give a member another role. One owner must stay. The answer lists the keys whose secret the member saw and may not know in the new role.',
    access: 'owner',
    audit: {
      whose: 'all',
      actions: ['member.made_agent', 'member.made_viewer', 'member.made_developer', 'member.made_owner', 'key.revoked'],
    },
    confirmed: 'always',
    body: z
      .strictObject({ role: z.enum(memberRoles), revoke_keys: revokeKeys })
      .transform((body) => ({ role: body.role, revokeKeys: body.revoke_keys })),
    query: null,
    data: member.extend({ keys: z.array(knownKey) }),
    message: 'Role changed',
    errors: ['MEMBER_NOT_FOUND', 'LAST_OWNER', 'CONFIRMATION_REQUIRED'],
  },
  removeMember: {
    method: 'POST',
    path: '/app/api/members/{user_id}/remove',
    summary:
      'End a membership. One owner must stay. The answer lists the keys whose secret the person saw: they go on working until somebody revokes or rotates them.',
    access: 'owner',
    audit: { whose: 'all', actions: ['member.removed', 'key.revoked'] },
    confirmed: 'always',
    whileSuspended: true,
    body: z.strictObject({ revoke_keys: revokeKeys }).transform((body) => ({ revokeKeys: body.revoke_keys })),
    query: null,
    data: z.object({ user_id: z.string(), keys: z.array(knownKey) }),
    message: 'Member removed',
    errors: ['MEMBER_NOT_FOUND', 'LAST_OWNER', 'CONFIRMATION_REQUIRED'],
  },
} as const satisfies Record<string, OperationForPeople>;
