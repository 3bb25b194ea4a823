import { z } from 'zod';
import { timestamp } from '../fields/timestamp.js';

export const renewalStates = ['pending', 'paid', 'expired', 'cancelled'] as const;
export type RenewalState = (typeof renewalStates)[number];

export const renewal = z
  .object({
    renewal_id: z.string(),
    plan: z.string(),
    duration_days: z.int(),
    price: z.int().meta({ description: 'In rupiah.' }),
    quota: z.int().nullable(),
    method: z.string(),
    state: z.enum(renewalStates),
    payment_url: z.string(),
    created_at: timestamp,
    expires_at: timestamp,
    paid_at: timestamp.nullable(),
  })
  .meta({ id: 'Renewal' });
