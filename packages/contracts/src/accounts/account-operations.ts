/** The operations of an account. */
import { z } from 'zod';
import { countryField } from '../fields/country.js';
import { timeZoneField } from '../fields/time-zone.js';
import { timestamp } from '../fields/timestamp.js';
import { limits } from '../http/limits.js';
import type { OperationForPeople, PublicOperation } from '../http/operation-entry.js';
import { accountName } from './account-name.js';

const quotaText = z.string().meta({ description: 'A number as text, or `Unlimited`.', example: '1000' });

/** Null: people of the country may live in any of its zones. */
const homeZone = timeZoneField.nullable();

/** Programs use these with a key, and people unless `access` is null. */
export const accountOperations = {
  accountInfo: {
    method: 'GET',
    path: '/api/v1/account/info',
    summary: 'Look up the plan, the subscription period and the quota of the account.',
    scope: 'account:read',
    testKeys: 'any',
    access: 'viewer',
    audit: null,
    device: false,
    repeat: 'harmless',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: z.object({
      user_id: z.string(),
      session_id: z.uuid(),
      plan: z.string(),
      plan_type: z.string(),
      start_date: timestamp,
      expiry_date: timestamp,
      days_left: z.int().min(0),
      initial_quota: quotaText,
      remaining_quota: quotaText,
    }),
    message: 'Account found',
    errors: ['NO_PLAN_CHOSEN', 'SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<string, PublicOperation>;

/** Only people use these. */
export const accountOperationsForPeople = {
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
  readAccountCountry: {
    method: 'GET',
    path: '/app/api/account/country',
    summary: 'Show the country of numbers that have no country code, its time zone, and what to choose from.',
    access: 'viewer',
    audit: null,
    body: null,
    query: null,
    data: z.object({
      country: countryField,
      countries: z.array(countryField),
      time_zone: homeZone,
      /** The zones of the country. */
      time_zones: z.array(z.string()),
    }),
    message: 'Country found',
    errors: [],
  },
  setAccountCountry: {
    method: 'PUT',
    path: '/app/api/account/country',
    summary:
      'Set the country of numbers that have no country code, and where its people live: a time zone of the country. Without one, an hour is open if it is open in all zones of the country. Files that are read now keep their country. Hours of marketing follow at once.',
    access: 'developer',
    audit: { whose: 'all', actions: ['account.country_changed'] },
    body: z.strictObject({ country: countryField, time_zone: homeZone.optional() }),
    query: null,
    data: z.object({ country: countryField, time_zone: homeZone }),
    message: 'Country changed',
    errors: [],
  },
  eraseAccount: {
    method: 'POST',
    path: '/app/api/account/erase',
    summary: 'Erase the account with its devices, keys, contacts and texts. Only what the books need stays.',
    access: 'owner',
    confirmed: 'always',
    audit: { whose: 'all', actions: ['account.erased'] },
    whileSuspended: true,
    body: z.strictObject({
      /** The present name, so that nobody erases another account by mistake. */
      name: z.string(),
    }),
    query: null,
    data: z.object({ account_id: z.string() }),
    message: 'Account is being erased',
    errors: ['CONFIRMATION_REQUIRED'],
  },
  exportAccount: {
    method: 'GET',
    path: '/app/api/account/export',
    summary: 'Export everything that the account has, one JSON object a line. Secrets are left out.',
    access: 'owner',
    confirmed: 'always',
    audit: { whose: 'all', actions: ['account.exported'] },
    body: null,
    query: null,
    answers: 'file',
    data: z.string(),
    message: 'Account exported',
    errors: ['CONFIRMATION_REQUIRED'],
  },
} as const satisfies Record<string, OperationForPeople>;
