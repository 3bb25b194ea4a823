import { z } from 'zod';
import { timestamp } from '../fields/timestamp.js';
import { memberRoles } from '../http/access.js';

const membership = z.object({ account_id: z.string(), name: z.string(), role: z.enum(memberRoles) });

export const me = z.object({
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
