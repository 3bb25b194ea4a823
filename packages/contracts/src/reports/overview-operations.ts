/** The overview of an account. */
import { z } from 'zod';
import { timestamp } from '../fields/timestamp.js';
import { limits } from '../http/limits.js';
import type { OperationForPeople } from '../http/operation-entry.js';
import { backlog } from '../messages/backlog.js';
import { subscription } from '../money/plan.js';

const latency = z.object({ count: z.int(), p50_ms: z.int().nullable(), p99_ms: z.int().nullable() });

const overview = z.object({
  /** One entry for each hour, oldest first, even for an hour without messages. The last entry is the present hour. */
  hours: z.array(
    z.object({
      hour: timestamp,
      accepted: z.int(),
      delivered: z.int(),
      failed: z.int(),
      otp: latency,
    }),
  ),
  /** The time from acceptance to the network's acknowledgement, over all the hours. */
  otp: latency,
  queue: backlog,
  devices: z.object({ total: z.int(), connected: z.int() }),
  /** Null: the account never had a period. */
  subscription: subscription.nullable(),
  /** The steps that a new account takes first. */
  first_steps: z.object({
    device_linked: z.boolean(),
    message_sent: z.boolean(),
    key_created: z.boolean(),
    plan_chosen: z.boolean(),
  }),
});

const overviewQuery = z
  .object({ hours: z.coerce.number().int().min(1).max(limits.overviewMaxHours).optional() })
  .transform((query) => ({ hours: query.hours ?? 24 }));

/** Only people use these. */
export const overviewOperations = {
  readOverview: {
    method: 'GET',
    path: '/app/api/overview',
    summary: 'Read how the account is doing: its hours, its backlog, its devices and its quota.',
    access: 'viewer',
    audit: null,
    body: null,
    query: overviewQuery,
    data: overview,
    message: 'Overview read',
    errors: [],
  },
} as const satisfies Record<string, OperationForPeople>;
