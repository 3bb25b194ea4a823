import { z } from 'zod';
import { languages } from '../fields/language.js';
import { timestamp } from '../fields/timestamp.js';
import { memberRoles } from '../http/access.js';

const membership = z.object({
  account_id: z.string(),
  name: z.string(),
  /** Phone numbers without a country code belong to it. */
  country: z.string(),
  role: z.enum(memberRoles),
  /** Why an operator has suspended the account. Null: it is not suspended. */
  suspended_reason: z.string().nullable(),
});

export const me = z.object({
  user: z.object({
    user_id: z.string(),
    email: z.string(),
    name: z.string(),
    /** The language of the person's mails. Null: not known yet. */
    language: z.enum(languages).nullable(),
    two_factor: z.boolean(),
    admin: z.boolean(),
  }),
  /** The account that the pages show now. */
  account: membership,
  /** The accounts that the person is a member of. */
  accounts: z.array(membership),
  /** Until then, operations that are marked `confirmed` need no new confirmation. Null: the session has none. */
  confirmed_until: timestamp.nullable(),
  /** Whether this gateway serves the simulated network and its phones. */
  sandbox: z.boolean(),
  /** The payment provider. Null: this gateway takes no payments. */
  payments: z.enum(['sandbox', 'midtrans']).nullable(),
  /** The address at which customers' programs reach the api. */
  api_url: z.string(),
});
