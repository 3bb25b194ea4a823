/** A person's own profile, and the accounts that the person leaves or opens. */
import { z } from 'zod';
import { countryField } from '../fields/country.js';
import { languages } from '../fields/language.js';
import { timestamp } from '../fields/timestamp.js';
import type { OperationForPeople } from '../http/operation-entry.js';
import { accountName } from './account-name.js';
import { emailAddress } from './email-address.js';
import { me } from './me.js';

/** Only people use these. */
export const profileOperations = {
  chooseLanguage: {
    method: 'POST',
    path: '/app/api/me/language',
    summary: "Choose the language of the person's mails.",
    access: 'signed-in',
    audit: null,
    body: z.strictObject({ language: z.enum(languages) }),
    query: null,
    data: z.object({ language: z.enum(languages) }),
    message: 'Language chosen',
    errors: [],
  },
  renameMe: {
    method: 'POST',
    path: '/app/api/me/name',
    summary: "Change the person's name. The names of their accounts stay.",
    access: 'signed-in',
    audit: { whose: 'all', actions: ['person.renamed'] },
    body: z.strictObject({ name: accountName }),
    query: null,
    data: z.object({ name: z.string() }),
    message: 'Person renamed',
    errors: [],
  },
  changeMyEmail: {
    method: 'POST',
    path: '/app/api/me/email',
    summary:
      'Mail the new address of the person a link, and tell the old address. The link works for an hour, and a second request ends it.',
    access: 'signed-in',
    confirmed: 'always',
    audit: { whose: 'all', actions: ['person.email_change_requested'] },
    body: z.strictObject({ email: emailAddress }),
    query: null,
    data: z.object({ email: z.string(), expires_at: timestamp }),
    message: 'Link sent',
    errors: ['CONFIRMATION_REQUIRED'],
  },
  confirmMyEmail: {
    method: 'POST',
    path: '/app/api/me/email/confirm',
    summary: 'Take the new address, by the token of the link. Links that were mailed to the old address stop working.',
    access: 'signed-in',
    audit: { whose: 'all', actions: ['person.email_changed'] },
    body: z.strictObject({ token: z.string().min(1).max(100) }),
    query: null,
    data: me,
    message: 'Address changed',
    errors: ['EMAIL_CHANGE_NOT_FOUND'],
  },
  leaveAccount: {
    method: 'POST',
    path: '/app/api/members/leave',
    summary: 'Leave the account that the pages show. One owner must stay.',
    access: 'agent',
    confirmed: 'always',
    audit: { whose: 'all', actions: ['member.left'] },
    whileSuspended: true,
    body: z.strictObject({
      /** The account that the pages show, so that nobody leaves another one by mistake. */
      account_id: z.string(),
    }),
    query: null,
    data: z.object({ account_id: z.string() }),
    message: 'Account left',
    errors: ['ACCOUNT_NOT_FOUND', 'LAST_OWNER', 'MEMBER_NOT_FOUND', 'CONFIRMATION_REQUIRED'],
  },
  openAccount: {
    method: 'POST',
    path: '/app/api/me/accounts',
    summary: 'Open an account of which the person is the owner, and show it. A person who owns one gets no second one.',
    access: 'signed-in',
    audit: { whose: 'all', actions: ['account.created'] },
    body: z.strictObject({
      name: accountName,
      /** Left out: the country that the person named at the sign-up. */
      country: countryField.optional(),
    }),
    query: null,
    data: me,
    message: 'Account opened',
    errors: ['ALREADY_OWNER'],
  },
} as const satisfies Record<string, OperationForPeople>;
