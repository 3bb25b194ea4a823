/** The operations with which an operator looks at the whole gateway and at one account. */
import { z } from 'zod';
import { broadcastStates, type BroadcastState } from '../broadcasts/broadcast-states.js';
import { deviceStates } from '../devices/device-states.js';
import { networkNames } from '../devices/networks.js';
import { deviceId } from '../fields/id-fields.js';
import { timestamp } from '../fields/timestamp.js';
import { memberRoles } from '../http/access.js';
import type { OperationForPeople } from '../http/operation-entry.js';
import { messageStatuses } from '../messages/message-status.js';
import { messagePriorities } from '../messages/message-priorities.js';
import { webhookDisabledReasons } from '../webhooks/webhook-words.js';

const broadcastWords = Object.keys(broadcastStates) as [BroadcastState, ...BroadcastState[]];

const gateway = z.object({
  /** The version of this api. */
  version: z.string(),
  /** The version of WhatsApp's web client that the workers use. Null: no worker has told one. */
  whatsapp_version: z.object({ version: z.string(), source: z.string(), first_seen_at: timestamp }).nullable(),
  workers: z.int(),
  /** Devices that all live workers together can hold. */
  capacity: z.int(),
  devices_wanted: z.int(),
  /** Devices that no worker has held for a while. A device is free for a moment at each start. */
  devices_unheld: z.int(),
  devices: z.array(z.object({ network: z.enum(networkNames), state: z.enum(deviceStates), devices: z.int() })),
  queue: z.array(
    z.object({
      priority: z.enum(messagePriorities),
      /** Messages that may go in turn. */
      in_lanes: z.int(),
      /** Messages that wait for a time, such as `send_at` or a retry. */
      waiting: z.int(),
      /** The age of the first message in the lane of a connected device, at most. Null: no lane has one. */
      oldest_seconds: z.number().nullable(),
    }),
  ),
  webhooks: z.object({ working: z.int(), failing: z.int(), disabled: z.int() }),
  webhook_retries: z.object({ overdue: z.int(), later: z.int(), failed: z.int() }),
  broadcasts: z.array(z.object({ state: z.enum(broadcastWords), broadcasts: z.int() })),
  database_bytes: z.number(),
  /** The age of the oldest transaction that writes; 0 without one. */
  oldest_transaction_seconds: z.number(),
  /** The clock of this api minus the clock of Postgres. */
  clock_skew_seconds: z.number(),
  redis: z.object({
    state: z.enum(['up', 'read_only', 'full', 'down']),
    /** Null: Redis does not answer. */
    used_bytes: z.number().nullable(),
    /** Null: Redis has no limit, or does not answer. */
    max_bytes: z.number().nullable(),
  }),
});

const troubledWebhook = z.object({
  webhook_id: z.string(),
  account_id: z.string(),
  account_name: z.string(),
  /** Scheme, host and port. The path may hold a secret of the customer. */
  origin: z.string(),
  enabled: z.boolean(),
  disabled_reason: z.enum(webhookDisabledReasons).nullable(),
  failing_since: timestamp.nullable(),
  last_success_at: timestamp.nullable(),
  waiting: z.int(),
});

const accountDevice = z.object({
  device_id: deviceId,
  name: z.string(),
  network: z.enum(networkNames),
  state: z.enum(deviceStates),
  state_reason: z.string().nullable(),
  state_detail: z.string().nullable(),
  last_connected_at: timestamp.nullable(),
  pace_per_minute: z.int().nullable(),
  new_contacts_per_day: z.int().nullable(),
  waiting: z.int(),
});

const accountDetail = z.object({
  members: z.array(z.object({ email: z.string(), role: z.enum(memberRoles) })),
  /** Those with the most waiting messages first; not all if there are very many. */
  devices: z.array(accountDevice),
  device_count: z.int(),
  max_devices: z.int(),
  api_keys: z.int(),
  webhooks: z.int(),
  /** The newest messages of the last 24 hours by their status. At most a million are counted. */
  messages_24h: z.array(z.object({ status: z.enum(messageStatuses), messages: z.int() })),
});

export const gatewayOperations = {
  adminShowGateway: {
    method: 'GET',
    path: '/app/api/admin/gateway',
    summary: 'Read the state of the whole gateway: workers, devices, messages that wait, webhooks, Postgres and Redis.',
    access: 'admin',
    audit: null,
    body: null,
    query: null,
    data: gateway,
    message: 'State read',
    errors: [],
  },
  adminListWebhooks: {
    method: 'GET',
    path: '/app/api/admin/webhooks',
    summary: 'List the 200 webhooks that have failed for longest, or that Kurir disabled.',
    access: 'admin',
    audit: null,
    body: null,
    query: null,
    data: z.object({ webhooks: z.array(troubledWebhook) }),
    message: 'Webhooks listed',
    errors: [],
  },
  adminShowAccount: {
    method: 'GET',
    path: '/app/api/admin/accounts/{account_id}',
    summary: 'Read the members, devices, limits and recent messages of one account. No content is shown.',
    access: 'admin',
    audit: null,
    body: null,
    query: null,
    data: accountDetail,
    message: 'Account read',
    errors: ['ACCOUNT_NOT_FOUND'],
  },
} as const satisfies Record<string, OperationForPeople>;
