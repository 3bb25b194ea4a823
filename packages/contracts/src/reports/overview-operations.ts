/** The overview of an account, and what became of its messages over time. */
import { z } from 'zod';
import { timeZoneField } from '../fields/time-zone.js';
import { timestamp } from '../fields/timestamp.js';
import { limits } from '../http/limits.js';
import type { OperationForPeople } from '../http/operation-entry.js';
import { backlog } from '../messages/backlog.js';
import { subscription } from '../money/plan.js';

const latency = z.object({ count: z.int(), p50_ms: z.int().nullable(), p99_ms: z.int().nullable() });

const counts = z.object({
  accepted: z.int(),
  delivered: z.int(),
  /** Failed or expired. */
  failed: z.int(),
});

const overview = z.object({
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
    contacts_added: z.boolean(),
    broadcast_started: z.boolean(),
  }),
});

const report = z.object({
  unit: z.enum(['hour', 'day']),
  /** One entry for each hour or day, oldest first, even without messages. The last entry is the present one. */
  parts: z.array(counts.extend({ start: timestamp, otp: latency })),
  all: counts,
  /** The time from acceptance to the network's acknowledgement, over the whole span. A very large number of codes is measured in part. */
  otp: latency,
  /** Only the newest messages are counted, since then. Null: all are. */
  counted_since: timestamp.nullable(),
  /** The most frequent reasons, with a count for each part. `null` sums up all other ones. */
  failed_for: z.array(z.object({ reason: z.string().nullable(), counts: z.array(z.int()) })),
  /** Those with the most messages. */
  devices: z.array(counts.extend({ device_id: z.string() })),
  /** Those with the most messages. `null` is the dashboard. */
  senders: z.array(counts.extend({ api_key: z.string().nullable() })),
});

const reportQuery = z
  .object({
    hours: z.coerce.number().int().min(1).max(limits.reportMaxHours).optional(),
    days: z.coerce.number().int().min(1).max(limits.reportMaxDays).optional(),
    time_zone: timeZoneField.optional(),
  })
  .refine(({ hours, days }) => hours === undefined || days === undefined, 'give hours or days, not both')
  .transform(({ hours, days, time_zone: timeZone = 'UTC' }) =>
    days === undefined
      ? { unit: 'hour' as const, count: hours ?? 24, timeZone }
      : { unit: 'day' as const, count: days, timeZone },
  );

/** Only people use these. */
export const overviewOperations = {
  readOverview: {
    method: 'GET',
    path: '/app/api/overview',
    summary: 'Read how the account is doing now: its backlog, its devices and its quota.',
    access: 'viewer',
    audit: null,
    body: null,
    query: null,
    data: overview,
    message: 'Overview read',
    errors: [],
  },
  readReport: {
    method: 'GET',
    path: '/app/api/report',
    summary: 'Read what became of the messages of the last hours or days.',
    access: 'viewer',
    audit: null,
    body: null,
    query: reportQuery,
    data: report,
    message: 'Report read',
    errors: [],
  },
} as const satisfies Record<string, OperationForPeople>;
