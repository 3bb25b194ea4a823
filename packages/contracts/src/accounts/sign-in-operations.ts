/**
 * The session of a person. better-auth has its own routes under /app/api/auth for signing up and in, two-factor, passkeys,
 * sessions and passwords.
 */
import { z } from 'zod';
import { timestamp } from '../fields/timestamp.js';
import type { OperationForPeople } from '../http/operation-entry.js';
import { me } from './me.js';

/** Only people use these. */
export const signInOperations = {
  readSetup: {
    method: 'GET',
    path: '/app/api/setup',
    summary: 'Read the facts that the pages before sign-in need.',
    access: 'anyone',
    audit: null,
    body: null,
    query: null,
    data: z.object({
      sign_up: z.boolean(),
      /** The page that shows mails which the gateway does not send. Only for development. */
      mailbox_url: z.string().nullable(),
    }),
    message: 'Setup read',
    errors: [],
  },
  readMe: {
    method: 'GET',
    path: '/app/api/me',
    summary: 'Read who is signed in, and into which account.',
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
    summary: 'Confirm that the person is still there, with a code of the authenticator or a backup code.',
    access: 'signed-in',
    audit: { whose: 'all', actions: ['session.confirmed'] },
    body: z.strictObject({ code: z.string().min(6).max(32) }),
    query: null,
    data: z.object({ confirmed_until: timestamp }),
    message: 'Session confirmed',
    errors: ['CODE_NOT_ACCEPTED', 'TWO_FACTOR_OFF'],
  },
} as const satisfies Record<string, OperationForPeople>;
