/** The operations of this gateway's operators, across accounts. */
import { z } from 'zod';
import { accountName } from '../accounts/account-name.js';
import { auditEntry } from '../accounts/audit-operations.js';
import { suspensionReason } from '../accounts/suspension-reason.js';
import { deviceStates } from '../devices/device-states.js';
import { deviceId } from '../fields/id-fields.js';
import { timestamp } from '../fields/timestamp.js';
import { limits } from '../http/limits.js';
import type { OperationForPeople } from '../http/operation-entry.js';
import { pageCursor, pageLimit, pageQuery } from '../http/page-query.js';
import { plan } from '../money/plan.js';

const accountRow = z.object({
  account_id: z.string(),
  name: z.string(),
  created_at: timestamp,
  members: z.int(),
  devices: z.int(),
  connected_devices: z.int(),
  plan: z.string().nullable(),
  expiry_date: timestamp.nullable(),
  messages_24h: z.int(),
  /** Null: the account is not suspended. */
  suspended_at: timestamp.nullable(),
  suspended_reason: z.string().nullable(),
});

const accountsQuery = z
  .object({ q: z.string().trim().max(64).optional(), limit: pageLimit, cursor: pageCursor })
  .transform((query) => ({
    search: query.q === undefined || query.q === '' ? null : query.q,
    limit: query.limit ?? limits.listDefaultMessages,
    cursor: query.cursor ?? null,
  }));

const planFields = {
  duration_days: z.int().min(1).max(3_660),
  price: z.int().min(0).max(2_000_000_000),
  quota: z.int().min(1).max(2_000_000_000).nullable(),
};

const maxDevices = z.int().min(1).max(10_000);

const createPlanRequest = z
  .strictObject({ name: accountName, ...planFields, max_devices: maxDevices.optional() })
  .transform((body) => ({
    name: body.name,
    durationDays: body.duration_days,
    priceRupiah: body.price,
    quota: body.quota,
    maxDevices: body.max_devices,
  }));

const changePlanRequest = z
  .strictObject({
    duration_days: planFields.duration_days.optional(),
    price: planFields.price.optional(),
    quota: planFields.quota.optional(),
    max_devices: maxDevices.optional(),
    active: z.boolean().optional(),
  })
  .transform((body) => ({
    durationDays: body.duration_days,
    priceRupiah: body.price,
    quota: body.quota,
    maxDevices: body.max_devices,
    active: body.active,
  }));

const heldDevice = z.object({
  device_id: deviceId,
  account_id: z.string(),
  name: z.string(),
  network: z.string(),
  state: z.enum(deviceStates),
  epoch: z.string(),
  lease_until: timestamp,
});

const worker = z.object({
  worker_id: z.string(),
  capacity: z.int(),
  alive: z.boolean(),
  expires_at: timestamp,
  devices: z.array(heldDevice),
});

const lane = z.object({
  device_id: deviceId,
  account_id: z.string(),
  name: z.string(),
  /** Messages that are due and not sent, according to Postgres. */
  waiting: z.object({ otp: z.int(), normal: z.int(), bulk: z.int() }),
  sending: z.int(),
  /** Tickets of the lane in Redis. Null: Redis is away, or the api did not ask it. */
  jobs: z.int().nullable(),
  oldest_waiting_at: timestamp.nullable(),
});

export const operatorOperations = {
  adminListAccounts: {
    method: 'GET',
    path: '/app/api/admin/accounts',
    summary: 'List the accounts, newest first. The search looks at ids, names and the addresses of members.',
    access: 'admin',
    audit: null,
    body: null,
    query: accountsQuery,
    data: z.object({ accounts: z.array(accountRow), next_cursor: z.string().nullable() }),
    message: 'Accounts listed',
    errors: [],
  },
  adminGrantPeriod: {
    method: 'POST',
    path: '/app/api/admin/accounts/{account_id}/grant',
    summary: 'Open a period of a plan for an account, without a payment.',
    access: 'admin',
    audit: { whose: 'all', actions: ['period.granted'] },
    confirmed: 'always',
    body: z.strictObject({ plan_id: z.string() }).transform((body) => ({ planId: body.plan_id })),
    query: null,
    data: accountRow,
    message: 'Period granted',
    errors: ['ACCOUNT_NOT_FOUND', 'PLAN_NOT_FOUND', 'CONFIRMATION_REQUIRED'],
  },
  adminSuspendAccount: {
    method: 'POST',
    path: '/app/api/admin/accounts/{account_id}/suspend',
    summary:
      'Suspend an account: its keys are refused, its members can only read, and its devices are disconnected. Messages wait. The members read the reason.',
    access: 'admin',
    audit: { whose: 'all', actions: ['account.suspended'] },
    confirmed: 'always',
    body: z.strictObject({ reason: suspensionReason }),
    query: null,
    data: accountRow,
    message: 'Account suspended',
    errors: ['ACCOUNT_NOT_FOUND', 'CONFIRMATION_REQUIRED'],
  },
  adminResumeAccount: {
    method: 'POST',
    path: '/app/api/admin/accounts/{account_id}/resume',
    summary: 'End the suspension of an account. Its devices connect again, and its messages go on.',
    access: 'admin',
    audit: { whose: 'all', actions: ['account.resumed'] },
    confirmed: 'always',
    body: null,
    query: null,
    data: accountRow,
    message: 'Account resumed',
    errors: ['ACCOUNT_NOT_FOUND', 'CONFIRMATION_REQUIRED'],
  },
  adminListPlans: {
    method: 'GET',
    path: '/app/api/admin/plans',
    summary: 'List all plans, even those that nobody can choose any more.',
    access: 'admin',
    audit: null,
    body: null,
    query: null,
    data: z.object({ plans: z.array(plan) }),
    message: 'Plans listed',
    errors: [],
  },
  adminCreatePlan: {
    method: 'POST',
    path: '/app/api/admin/plans',
    summary: 'Offer a new plan.',
    access: 'admin',
    audit: { whose: 'all', actions: ['plan.created'] },
    confirmed: 'always',
    body: createPlanRequest,
    query: null,
    data: plan,
    message: 'Plan created',
    errors: ['PLAN_NAME_TAKEN', 'CONFIRMATION_REQUIRED'],
  },
  adminChangePlan: {
    method: 'POST',
    path: '/app/api/admin/plans/{plan_id}',
    summary:
      'Change the price, duration, quota or number of devices of a plan for renewals from now on, or take the plan off the list.',
    access: 'admin',
    audit: { whose: 'all', actions: ['plan.changed'] },
    confirmed: 'always',
    body: changePlanRequest,
    query: null,
    data: plan,
    message: 'Plan changed',
    errors: ['PLAN_NOT_FOUND', 'CONFIRMATION_REQUIRED'],
  },
  adminListWorkers: {
    method: 'GET',
    path: '/app/api/admin/workers',
    summary: 'List the workers with the devices that each holds, and count the devices that still wait for a worker.',
    access: 'admin',
    audit: null,
    body: null,
    query: null,
    data: z.object({ workers: z.array(worker), waiting_for_worker: z.int() }),
    message: 'Workers listed',
    errors: [],
  },
  adminListLanes: {
    method: 'GET',
    path: '/app/api/admin/lanes',
    summary: 'List the 200 lanes with the most waiting messages.',
    access: 'admin',
    audit: null,
    body: null,
    query: null,
    data: z.object({ lanes: z.array(lane) }),
    message: 'Lanes listed',
    errors: [],
  },
  adminListAudit: {
    method: 'GET',
    path: '/app/api/admin/audit',
    summary: 'Read the audit log across accounts, newest first.',
    access: 'admin',
    audit: null,
    body: null,
    query: pageQuery,
    data: z.object({
      entries: z.array(auditEntry.extend({ account_id: z.string().nullable() })),
      next_cursor: z.string().nullable(),
    }),
    message: 'Audit log read',
    errors: [],
  },
} as const satisfies Record<string, OperationForPeople>;
