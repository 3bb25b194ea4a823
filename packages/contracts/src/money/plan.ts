import { z } from 'zod';
import { timestamp } from '../fields/timestamp.js';

export const plan = z.object({
  plan_id: z.string(),
  name: z.string(),
  type: z.string(),
  duration_days: z.int(),
  price: z.int(),
  /** Null: unlimited. */
  quota: z.int().nullable(),
  /** How many devices an account may have. */
  max_devices: z.int(),
  active: z.boolean(),
});

export const subscription = z.object({
  plan: z.string(),
  start_date: timestamp,
  expiry_date: timestamp,
  days_left: z.int(),
  /** Null: unlimited. */
  initial_quota: z.int().nullable(),
  remaining_quota: z.int().nullable(),
});
