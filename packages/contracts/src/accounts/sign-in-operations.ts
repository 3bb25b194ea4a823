/**
 * The session of a person. better-auth has its own routes under /app/api/auth for signing up and in, two-factor, passkeys,
 * sessions and passwords.
 */
import { z } from 'zod';
import { countryField } from '../fields/country.js';
import { timeZoneField } from '../fields/time-zone.js';
import { timestamp } from '../fields/timestamp.js';
import type { OperationForPeople } from '../http/operation-entry.js';
import { me } from './me.js';

/** A code of the authenticator or a backup code; what a passkey signed; or, without two-factor sign-in, the password. */
const confirmation = z
  .strictObject({
    code: z.string().min(6).max(32).optional(),
    passkey: z.looseObject({ id: z.string().max(2_000), response: z.looseObject({}) }).optional(),
    password: z.string().min(1).max(128).optional(),
  })
  .refine((given) => Object.values(given).filter((value) => value !== undefined).length === 1, {
    message: 'must have one of code, passkey and password',
  });

/** Only people use these. */
export const signInOperations = {
  readSetup: {
    method: 'GET',
    path: '/app/api/setup',
    summary: 'Read the facts that the pages before sign-in need.',
    access: 'anyone',
    audit: null,
    body: null,
    query: z.object({
      /** The time zone of the browser. */
      time_zone: timeZoneField.optional().catch(undefined),
    }),
    data: z.object({
      sign_up: z.boolean(),
      /** The country of the time zone. Null: it has none. */
      country: countryField.nullable(),
      /** The countries to choose from. */
      countries: z.array(countryField),
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
    summary: 'Confirm that the person is still there, by a code, a passkey or the password.',
    access: 'signed-in',
    audit: { whose: 'all', actions: ['session.confirmed'] },
    body: confirmation,
    query: null,
    data: z.object({ confirmed_until: timestamp }),
    message: 'Session confirmed',
    errors: [
      'CODE_NOT_ACCEPTED',
      'PASSKEY_NOT_ACCEPTED',
      'PASSWORD_NOT_ACCEPTED',
      'SERVICE_UNAVAILABLE',
      'TWO_FACTOR_OFF',
    ],
  },
  eraseMe: {
    method: 'POST',
    path: '/app/api/me/erase',
    summary: 'Erase the person who is signed in, and an account in which only they are and nothing lives.',
    access: 'signed-in',
    confirmed: 'always',
    audit: { whose: 'all', actions: ['person.erased'] },
    body: z.strictObject({
      /** The person's own address, so that nobody does it by mistake. */
      email: z.string(),
    }),
    query: null,
    data: z.object({ user_id: z.string() }),
    message: 'Person erased',
    errors: ['LAST_OWNER', 'CONFIRMATION_REQUIRED'],
  },
  exportMe: {
    method: 'GET',
    path: '/app/api/me/export',
    summary: "Export the person's own data, one JSON object a line.",
    access: 'signed-in',
    confirmed: 'always',
    audit: { whose: 'all', actions: ['person.exported'] },
    body: null,
    query: null,
    answers: 'file',
    data: z.string(),
    message: 'Person exported',
    errors: ['CONFIRMATION_REQUIRED'],
  },
} as const satisfies Record<string, OperationForPeople>;
