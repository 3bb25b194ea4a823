/** A request for every error of the operations of broadcasts. */
import { createDevice } from '@kurir/database';
import { uploadFile } from './contact-error-cases.js';
import { createConnectedDevice, createCustomer, type Customer } from './customer-fixture.js';
import { ask, type Case, changed, repeated, unavailable, unreadable, withoutPeriod } from './error-requests.js';
import type { TestApi } from './test-api.js';

const anyHour = { confirm_any_hour: true };

/** Its messages go out at any hour, so a test may run at any hour. */
export async function createBroadcast(api: TestApi, customer: Customer, rows: number): Promise<string> {
  const list = Array.from({ length: rows }, (_, i) => ({ phone: String(6_281_300_000_000 + i) }));
  const made = await ask(api, customer, 'createBroadcast', {
    body: { name: 'Promo', message: 'Halo', device_ids: [customer.deviceId], audience: { rows: list }, window: null },
  });
  return String(made.body.data['broadcast_id']);
}

/** A broadcast that its owner cancelled. */
const ended: Case = async ({ well, customer }, operation) => {
  const broadcastId = await createBroadcast(well, customer, 1);
  await ask(well, customer, 'cancelBroadcast', { broadcastId });
  return ask(well, customer, operation, { broadcastId });
};

async function askToStart(api: TestApi, customer: Customer) {
  const broadcastId = await createBroadcast(api, customer, 2);
  await ask(api, customer, 'checkBroadcast', { broadcastId });
  return ask(api, customer, 'startBroadcast', { broadcastId, body: anyHour });
}

const notStarted: Case = async ({ well, customer }, operation) =>
  ask(well, customer, operation, { broadcastId: await createBroadcast(well, customer, 1) });

/** Somebody else needs the quota meanwhile. */
const withoutQuota: Case = async ({ well }, operation) => {
  const customer = await createCustomer(well.database, { quota: 1 });
  if (operation === 'startBroadcast') return askToStart(well, customer);
  const broadcastId = await createBroadcast(well, customer, 1);
  await ask(well, customer, 'checkBroadcast', { broadcastId });
  await ask(well, customer, 'startBroadcast', { broadcastId, body: anyHour });
  await failAll(well, broadcastId);
  await well.database.pool.query(
    'UPDATE subscription_periods SET taken_quota = 1, reserved_quota = 0 WHERE account_id = $1',
    [customer.accountId],
  );
  return ask(well, customer, operation, { broadcastId, body: { scope: 'failed' } });
};

/** All its messages failed, and it finished. */
async function failAll({ database }: TestApi, broadcastId: string): Promise<void> {
  await database.pool.query(
    `INSERT INTO messages (id, account_id, device_id, key_id, request_id, priority, recipient, network_message_id, status, broadcast_id)
     SELECT 'msg_' || r.broadcast_id || r.position, b.account_id, b.device_ids[1], 'k', 'r', 2, r.recipient, r.position::text, 'failed', b.id
     FROM broadcasts b JOIN broadcast_recipients r ON r.broadcast_id = b.id WHERE b.id = $1`,
    [broadcastId],
  );
  await database.pool.query(
    `UPDATE broadcast_recipients SET state = 2, message_id = 'msg_' || broadcast_id || position WHERE broadcast_id = $1`,
    [broadcastId],
  );
  await database.pool.query(
    `UPDATE broadcasts SET state = 'finished', ended_at = now(), reservations = '[]' WHERE id = $1`,
    [broadcastId],
  );
}

const withoutPlan: Case = async ({ well }, operation) => {
  const customer = await withoutPeriod(well.database);
  if (operation === 'startBroadcast') return askToStart(well, customer);
  const broadcastId = await createBroadcast(well, customer, 1);
  await failAll(well, broadcastId);
  return ask(well, customer, operation, { broadcastId, body: { scope: 'failed' } });
};

async function deleteOnlyDevice(api: TestApi, customer: Customer): Promise<void> {
  await api.database.pool.query(
    `WITH freed AS (UPDATE device_leases SET owner = NULL, expires_at = now() - interval '2 ms' WHERE device_id = $1)
     UPDATE devices SET linked = false, desired_state = 'unlinked', state = 'disconnected' WHERE id = $1`,
    [customer.deviceId],
  );
  await ask(api, customer, 'deleteDevice');
}

const askForTest = async (api: TestApi, operation: Parameters<Case>[1], customer: Customer) =>
  ask(api, customer, operation, { broadcastId: await createBroadcast(api, customer, 0) });

const unknown = changed({});

/** A broadcast to the people of an audience. */
const to = ({ deviceId }: Customer, audience: object) => ({
  body: { name: 'Promo', message: 'Halo', device_ids: [deviceId], audience },
});
const ofOne = { BROADCAST_NOT_FOUND: unknown, REPLAYED_REQUEST: repeated, SERVICE_UNAVAILABLE: unavailable };

export const broadcastErrorCases = {
  createBroadcast: {
    ...unreadable,
    INVALID_REQUEST: changed({
      body: { name: 'Promo', message: 'Halo {{nama', device_ids: ['dev_01kajp4m3s5y8zt0v6qk2c9hbe'] },
    }),
    DEVICE_NOT_FOUND: unknown,
    TEMPLATE_NOT_FOUND: async ({ well, customer }, operation) =>
      ask(well, customer, operation, {
        body: { name: 'Promo', template_id: 'tpl_01kajp4m3s5y8zt0v6qk2c9hbe', device_ids: [customer.deviceId] },
      }),
    INVALID_PHONE_NUMBER: ({ well, customer }, operation) =>
      ask(well, customer, operation, to(customer, { contacts: { phone: 'Budi' } })),
    UPLOAD_NOT_FOUND: ({ well, customer }, operation) =>
      ask(well, customer, operation, to(customer, { upload_id: 'upl_none' })),
    UPLOAD_NOT_READY: async (stage, operation) =>
      ask(stage.well, stage.customer, operation, to(stage.customer, { upload_id: await uploadFile(stage, 'HP\n', 3) })),
    UPLOAD_NOT_READABLE: async (stage, operation) =>
      ask(stage.well, stage.customer, operation, to(stage.customer, { upload_id: await uploadFile(stage, '\n\n') })),
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  addBroadcastRecipients: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: { after: 0, rows: [] } }),
    BROADCAST_STATE: ended,
    ...ofOne,
  },
  checkBroadcast: ofOne,
  startBroadcast: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: { confirm_any_hour: 'yes' } }),
    BROADCAST_STATE: notStarted,
    PLAN_EXPIRED: withoutPlan,
    QUOTA_EXHAUSTED: withoutQuota,
    ...ofOne,
  },
  pauseBroadcast: { BROADCAST_STATE: notStarted, ...ofOne },
  resumeBroadcast: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: { scope: 'all' } }),
    BROADCAST_STATE: notStarted,
    PLAN_EXPIRED: withoutPlan,
    QUOTA_EXHAUSTED: withoutQuota,
    ...ofOne,
  },
  cancelBroadcast: {
    BROADCAST_STATE: async ({ well, customer }, operation) => {
      const broadcastId = await createBroadcast(well, customer, 1);
      await failAll(well, broadcastId);
      return ask(well, customer, operation, { broadcastId });
    },
    ...ofOne,
  },
  updateBroadcast: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: {} }),
    DEVICE_NOT_FOUND: async ({ well, customer }, operation) =>
      ask(well, customer, operation, {
        broadcastId: await createBroadcast(well, customer, 0),
        body: {
          device_ids: [await createConnectedDevice(well.database, (await createCustomer(well.database)).accountId)],
        },
      }),
    BROADCAST_STATE: ended,
    ...ofOne,
  },
  testBroadcast: {
    ...unreadable,
    PLAN_EXPIRED: async ({ well }, operation) => askForTest(well, operation, await withoutPeriod(well.database)),
    QUOTA_EXHAUSTED: async ({ well }, operation) =>
      askForTest(well, operation, await createCustomer(well.database, { quota: 0 })),
    DEVICE_NOT_FOUND: async ({ well }, operation) => {
      const customer = await createCustomer(well.database);
      const broadcastId = await createBroadcast(well, customer, 0);
      await deleteOnlyDevice(well, customer);
      return ask(well, customer, operation, { broadcastId });
    },
    DEVICE_NOT_CONNECTED: async ({ well }, operation) => {
      const customer = await createCustomer(well.database);
      const { accountId } = customer;
      const wanted = { accountId, name: 'test', network: 'simulator', pacePerMinute: null } as const;
      return askForTest(well, operation, { ...customer, deviceId: await createDevice(well.database, wanted) });
    },
    INVALID_REQUEST: changed({ body: { phone: '6281234567890', values: [] } }),
    INVALID_PHONE_NUMBER: changed({ body: { phone: '0812' } }),
    RECIPIENT_SUPPRESSED: async ({ well }, operation) => {
      const customer = await createCustomer(well.database);
      await ask(well, customer, 'addSuppressions');
      return askForTest(well, operation, customer);
    },
    BROADCAST_STATE: ended,
    ...ofOne,
  },
  listBroadcasts: { INVALID_REQUEST: changed({ query: 'limit=0' }), SERVICE_UNAVAILABLE: unavailable },
  getBroadcast: { BROADCAST_NOT_FOUND: unknown, SERVICE_UNAVAILABLE: unavailable },
  listBroadcastRecipients: {
    INVALID_REQUEST: changed({ query: 'outcome=lost' }),
    BROADCAST_NOT_FOUND: unknown,
    SERVICE_UNAVAILABLE: unavailable,
  },
  exportBroadcastResults: {
    INVALID_REQUEST: changed({ query: 'format=xlsx' }),
    BROADCAST_NOT_FOUND: unknown,
    SERVICE_UNAVAILABLE: unavailable,
  },
} satisfies Record<string, Record<string, Case>>;
