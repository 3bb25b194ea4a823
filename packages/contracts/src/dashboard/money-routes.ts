/** Overview, plans and money. Money is whole rupiah. */
import { z } from 'zod';
import { backlog, renewal, timestamp } from '../answer-parts.js';
import { limits } from '../limits.js';
import type { DashboardRoute } from '../operation-entry.js';
import { pageQuery } from './page-query.js';

export const plan = z.object({
  plan_id: z.string(),
  name: z.string(),
  type: z.string(),
  duration_days: z.int(),
  price: z.int(),
  /** Null: unlimited. */
  quota: z.int().nullable(),
  active: z.boolean(),
});

const subscription = z.object({
  plan: z.string(),
  start_date: timestamp,
  expiry_date: timestamp,
  days_left: z.int(),
  /** Null: unlimited. */
  initial_quota: z.int().nullable(),
  remaining_quota: z.int().nullable(),
});

const latency = z.object({ count: z.int(), p50_ms: z.int().nullable(), p99_ms: z.int().nullable() });

const overview = z.object({
  /** One entry per hour, oldest first, hours without messages too; the last one is the present hour. */
  hours: z.array(
    z.object({
      hour: timestamp,
      accepted: z.int(),
      delivered: z.int(),
      failed: z.int(),
      otp: latency,
    }),
  ),
  /** From acceptance to the network's acknowledgement, over the whole span. */
  otp: latency,
  queue: backlog,
  devices: z.object({ total: z.int(), connected: z.int() }),
  /** Null: the account never had a period. */
  subscription: subscription.nullable(),
  /** What a new account does first. */
  first_steps: z.object({
    device_linked: z.boolean(),
    message_sent: z.boolean(),
    key_created: z.boolean(),
    plan_chosen: z.boolean(),
  }),
});

const ledgerEntry = z.object({
  entry_id: z.string(),
  renewal_id: z.string(),
  /** Money came in, bought a plan, was given back, or was taken back by the payer's bank. */
  kind: z.enum(['payment', 'charge', 'refund', 'chargeback']),
  /** Money in is positive. */
  amount: z.int(),
  provider: z.string(),
  provider_payment: z.string(),
  created_at: timestamp,
});

const invoice = z.object({
  /** The renewal's id. */
  invoice_id: z.string(),
  number: z.string().meta({ example: 'KRR-20261121-9HBE' }),
  account_name: z.string(),
  plan: z.string(),
  duration_days: z.int(),
  quota: z.int().nullable(),
  amount: z.int(),
  provider: z.string(),
  provider_payment: z.string(),
  paid_at: timestamp,
  period_start: timestamp,
  period_end: timestamp,
});

const overviewQuery = z
  .object({ hours: z.coerce.number().int().min(1).max(limits.overviewMaxHours).optional() })
  .transform((query) => ({ hours: query.hours ?? 24 }));

export const moneyRoutes = {
  readOverview: {
    method: 'GET',
    path: '/app/api/overview',
    summary: 'How the account is doing: by hour, now, and what is left.',
    access: 'viewer',
    audit: null,
    body: null,
    query: overviewQuery,
    data: overview,
    message: 'Overview read',
    errors: [],
  },
  listPlans: {
    method: 'GET',
    path: '/app/api/plans',
    summary: 'The plans that can be chosen, cheapest first, the account’s choice and its present period.',
    access: 'viewer',
    audit: null,
    body: null,
    query: null,
    data: z.object({
      plans: z.array(plan),
      chosen_plan_id: z.string().nullable(),
      subscription: subscription.nullable(),
    }),
    message: 'Plans listed',
    errors: [],
  },
  choosePlan: {
    method: 'POST',
    path: '/app/api/plans/{plan_id}/choose',
    summary: 'Choose what the next renewal buys.',
    access: 'owner',
    audit: { whose: 'all', actions: ['plan.chosen'] },
    body: null,
    query: null,
    data: plan,
    message: 'Plan chosen',
    errors: ['PLAN_NOT_FOUND'],
  },
  listRenewals: {
    method: 'GET',
    path: '/app/api/renewals',
    summary: 'Renewals, newest first.',
    access: 'viewer',
    audit: null,
    body: null,
    query: pageQuery,
    data: z.object({ renewals: z.array(renewal), next_cursor: z.string().nullable() }),
    message: 'Renewals listed',
    errors: [],
  },
  listLedger: {
    method: 'GET',
    path: '/app/api/ledger',
    summary: 'Every movement of money, newest first.',
    access: 'viewer',
    audit: null,
    body: null,
    query: pageQuery,
    data: z.object({ entries: z.array(ledgerEntry), next_cursor: z.string().nullable() }),
    message: 'Ledger read',
    errors: [],
  },
  listInvoices: {
    method: 'GET',
    path: '/app/api/invoices',
    summary: 'One invoice per paid renewal, newest first.',
    access: 'viewer',
    audit: null,
    body: null,
    query: pageQuery,
    data: z.object({ invoices: z.array(invoice), next_cursor: z.string().nullable() }),
    message: 'Invoices listed',
    errors: [],
  },
} as const satisfies Record<string, DashboardRoute>;
