/** A request for every error of every operation. The compiler reports an operation or a code without a case. */
import { type commonErrors, limits, publicOperations, type PublicOperationName } from '@kurir/contracts';
import { createAccount, createDevice, type Database } from '@kurir/database';
import { createConnectedDevice, createCustomer, createKey, type Customer } from './customer-fixture.js';
import { aMessage, type CallOptions, call, readAnswer, type Sent, sendSigned } from './signed-request.js';
import type { TestApi } from './test-api.js';

/** One api for each situation. All share a database except `planless`, whose database has no plan. */
export type Stage = {
  readonly well: TestApi;
  readonly planless: TestApi;
  readonly limited: TestApi;
  readonly broken: TestApi;
  readonly unreachable: TestApi;
  readonly unpaid: TestApi;
  /** A customer in the shared database, for requests that change nothing. */
  readonly customer: Customer;
};

export type Case = (stage: Stage, operation: PublicOperationName) => Promise<Sent>;

const bodies: Partial<Record<PublicOperationName, unknown>> = {
  sendMessage: aMessage,
  sendBulk: { messages: [aMessage] },
  chatPresence: { action: 'start', phone_destination: '6281234567890' },
  createDevice: { name: 'Toko' },
  cancelMessages: { filter: { priority: 'bulk' } },
  updateDevice: { pace_per_minute: 20 },
  linkDevice: {},
};

const ask = (api: TestApi, customer: Customer, operation: PublicOperationName, options: CallOptions = {}) =>
  call(api.url, customer, operation, { body: bodies[operation], ...options });

/** For requests that fail before the api looks for the caller. */
const stranger: Customer = {
  accountId: 'acc_none',
  key: { id: 'kk_test_0000000000000000000000', secret: 'ks_test_none' },
  deviceId: 'dev_none',
};

/** Sends the customer's request with `options`. */
const changed =
  (options: CallOptions): Case =>
  ({ well, customer }, operation) =>
    ask(well, customer, operation, options);

const hourAgo = () => String(Math.floor(Date.now() / 1000) - 3_600);

async function unsigned({ well }: Stage, operation: PublicOperationName): Promise<Sent> {
  const { method, path } = publicOperations[operation];
  return readAnswer(await fetch(well.url + path, { method }));
}

/** The cases of the errors that every operation has. */
export const commonCases: Record<(typeof commonErrors)[number], Case> = {
  MISSING_CREDENTIALS: unsigned,
  INVALID_API_KEY: ({ well }, operation) => ask(well, stranger, operation),
  INVALID_SIGNATURE: ({ well, customer }, operation) =>
    ask(well, { ...customer, key: { ...customer.key, secret: 'ks_test_wrong' } }, operation),
  TIMESTAMP_OUT_OF_RANGE: ({ well }, operation) => ask(well, stranger, operation, { timestamp: hourAgo() }),
  KEY_NOT_ALLOWED: async ({ well, customer }, operation) => {
    const scopes = [
      publicOperations[operation].scope === 'devices:read' ? ('account:read' as const) : ('devices:read' as const),
    ];
    return ask(well, { ...customer, key: await createKey(well.database, customer.accountId, { scopes }) }, operation);
  },
  RATE_LIMITED: async ({ limited, customer }, operation) => {
    await ask(limited, customer, 'latestPlan');
    return ask(limited, customer, operation);
  },
  INTERNAL_ERROR: ({ broken }, operation) => ask(broken, stranger, operation),
};

async function withoutPeriod(database: Database): Promise<Customer> {
  const accountId = await createAccount(database, 'test');
  return {
    accountId,
    key: await createKey(database, accountId),
    deviceId: await createConnectedDevice(database, accountId),
  };
}

const twice =
  (second: (customer: Customer, api: TestApi) => Promise<CallOptions>): Case =>
  async ({ well }, operation) => {
    const customer = await createCustomer(well.database);
    const timestamp = String(Date.now());
    await ask(well, customer, operation, { timestamp });
    return ask(well, customer, operation, { timestamp, ...(await second(customer, well)) });
  };

const repeated = twice(() => Promise.resolve({}));
const onOtherDevice = twice(async ({ accountId }, { database }) => ({
  deviceId: await createConnectedDevice(database, accountId),
}));
const unknownDevice = changed({ deviceId: 'dev_00000000000000000000000000' });
const unavailable: Case = ({ unreachable }, operation) => ask(unreachable, stranger, operation);

const unlinkedDevice: Case = async ({ well }, operation) => {
  const customer = await createCustomer(well.database);
  const wanted = { accountId: customer.accountId, name: 'test', network: 'simulator', pacePerMinute: null } as const;
  return ask(well, customer, operation, { deviceId: await createDevice(well.database, wanted) });
};

async function sendRaw(
  { well, customer }: Stage,
  operation: PublicOperationName,
  body: string,
  headers: Record<string, string> = {},
): Promise<Sent> {
  const { key, deviceId } = customer;
  const { method, path } = publicOperations[operation];
  return sendSigned(well.url, { method, target: path, body, key, headers: { 'X-Device-Id': deviceId, ...headers } });
}

const unreadable = {
  MALFORMED_REQUEST: (stage, operation) => sendRaw(stage, operation, '{"message": '),
  PAYLOAD_TOO_LARGE: (stage, operation) =>
    sendRaw(stage, operation, ' '.repeat(publicOperations[operation].maxBodyBytes + 1)),
  UNSUPPORTED_MEDIA_TYPE: (stage, operation) => sendRaw(stage, operation, '{}', { 'Content-Type': 'text/plain' }),
} satisfies Record<string, Case>;

const accepting = {
  ...unreadable,
  PLAN_EXPIRED: async ({ well }, operation) => ask(well, await withoutPeriod(well.database), operation),
  QUOTA_EXHAUSTED: async ({ well }, operation) => {
    const customer = await createCustomer(well.database, { quota: 1 });
    await ask(well, customer, 'sendMessage');
    return ask(well, customer, operation);
  },
  DEVICE_NOT_FOUND: unknownDevice,
  DEVICE_NOT_CONNECTED: unlinkedDevice,
  REPLAYED_REQUEST: onOtherDevice,
  SERVICE_UNAVAILABLE: unavailable,
} satisfies Record<string, Case>;

/** The cases of the errors that an operation declares. */
export const cases: {
  readonly [O in PublicOperationName]: Record<(typeof publicOperations)[O]['errors'][number], Case>;
} = {
  sendMessage: {
    ...accepting,
    INVALID_REQUEST: changed({ body: { ...aMessage, message: '' } }),
    INVALID_PHONE_NUMBER: changed({ body: { ...aMessage, phone_destination: '+62 812' } }),
    IDEMPOTENCY_KEY_REUSED: async ({ well }, operation) => {
      const customer = await createCustomer(well.database);
      await ask(well, customer, operation, { body: { ...aMessage, client_ref: 'order-7781' } });
      return ask(well, customer, operation, {
        body: { ...aMessage, message: 'Another text', client_ref: 'order-7781' },
      });
    },
  },
  sendBulk: { ...accepting, INVALID_REQUEST: changed({ body: { messages: [] } }) },
  chatPresence: {
    ...unreadable,
    DEVICE_NOT_FOUND: unknownDevice,
    DEVICE_NOT_CONNECTED: unlinkedDevice,
    REPLAYED_REQUEST: twice(async ({ deviceId }, { database }) => {
      await database.pool.query(`UPDATE devices SET state = 'connecting' WHERE id = $1`, [deviceId]);
      return {};
    }),
    INVALID_REQUEST: changed({ body: { action: 'pause', phone_destination: '6281234567890' } }),
    INVALID_PHONE_NUMBER: changed({ body: { action: 'start', phone_destination: '0812' } }),
    SERVICE_UNAVAILABLE: unavailable,
    DEVICE_TIMEOUT: async ({ well }, operation) => ask(well, await createCustomer(well.database), operation),
  },
  listMessages: { INVALID_REQUEST: changed({ query: 'limit=0' }), SERVICE_UNAVAILABLE: unavailable },
  getMessage: { JOB_NOT_FOUND: changed({}), SERVICE_UNAVAILABLE: unavailable },
  cancelMessage: {
    JOB_NOT_FOUND: changed({}),
    JOB_NOT_CANCELLABLE: async ({ well }, operation) => {
      const customer = await createCustomer(well.database);
      const { body } = await ask(well, customer, 'sendMessage');
      const jobId = String(body.data['job_id']);
      await ask(well, customer, operation, { jobId });
      return ask(well, customer, operation, { jobId });
    },
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  cancelMessages: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: { filter: {} } }),
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  renewAccount: {
    INVALID_REQUEST: changed({ headers: { 'Idempotency-Key': 'x'.repeat(65) } }),
    NO_PLAN_CHOSEN: async ({ well }, operation) => ask(well, await withoutPeriod(well.database), operation),
    REPLAYED_REQUEST: repeated,
    INVALID_PAYMENT_METHOD: changed({ query: 'payment_method=cash' }),
    PAYMENT_METHOD_UNAVAILABLE: changed({ query: 'payment_method=crypto' }),
    PAYMENT_PROVIDER_ERROR: ({ unpaid, customer }, operation) => ask(unpaid, customer, operation),
    SERVICE_UNAVAILABLE: unavailable,
  },
  createDevice: {
    ...unreadable,
    DEVICE_LIMIT_REACHED: async ({ well }, operation) => {
      const customer = await withoutPeriod(well.database);
      for (let i = 0; i < limits.trialMaxDevices; i++) await ask(well, customer, operation);
      return ask(well, customer, operation);
    },
    REPLAYED_REQUEST: repeated,
    INVALID_REQUEST: changed({ body: { name: '' } }),
    IDEMPOTENCY_KEY_REUSED: async ({ well }, operation) => {
      const customer = await createCustomer(well.database);
      await ask(well, customer, operation, { body: { name: 'Toko', client_ref: 'shop-1' } });
      return ask(well, customer, operation, { body: { name: 'Gudang', client_ref: 'shop-1' } });
    },
    SERVICE_UNAVAILABLE: unavailable,
  },
  updateDevice: {
    ...unreadable,
    DEVICE_NOT_FOUND: unknownDevice,
    REPLAYED_REQUEST: repeated,
    INVALID_REQUEST: changed({ body: { proxy: 'ftp://proxy.example.com' } }),
    SERVICE_UNAVAILABLE: unavailable,
  },
  listDevices: {
    INVALID_REQUEST: changed({ query: 'include=everything' }),
    DEVICE_NOT_FOUND: changed({ query: 'device_id=dev_00000000000000000000000000' }),
    SERVICE_UNAVAILABLE: unavailable,
  },
  linkDevice: {
    ...unreadable,
    DEVICE_LIMIT_REACHED: async ({ well }, operation) => {
      const customer = await createCustomer(well.database);
      const wanted = {
        accountId: customer.accountId,
        name: 'test',
        network: 'simulator',
        pacePerMinute: null,
      } as const;
      for (let i = 0; i < limits.pairingMaxDevices; i++)
        await ask(well, customer, operation, { deviceId: await createDevice(well.database, wanted) });
      return ask(well, customer, operation, { deviceId: await createDevice(well.database, wanted) });
    },
    DEVICE_NOT_FOUND: unknownDevice,
    DEVICE_ALREADY_LINKED: changed({}),
    REPLAYED_REQUEST: repeated,
    INVALID_REQUEST: changed({ body: { method: 'pairing_code' } }),
    INVALID_PHONE_NUMBER: changed({ body: { method: 'pairing_code', phone_number: '+62 812' } }),
    SERVICE_UNAVAILABLE: unavailable,
  },
  cancelLink: {
    DEVICE_NOT_FOUND: unknownDevice,
    DEVICE_NOT_PAIRING: changed({}),
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  reconnectDevice: {
    DEVICE_NOT_FOUND: unknownDevice,
    DEVICE_NOT_LINKED: unlinkedDevice,
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  disconnectDevice: {
    DEVICE_NOT_FOUND: unknownDevice,
    DEVICE_NOT_LINKED: unlinkedDevice,
    REPLAYED_REQUEST: async ({ well }, operation) => {
      const customer = await createCustomer(well.database);
      const timestamp = String(Date.now());
      const deviceId = 'dev_00000000000000000000000000';
      await ask(well, customer, operation, { timestamp, deviceId });
      return ask(well, customer, operation, { timestamp });
    },
    SERVICE_UNAVAILABLE: unavailable,
    DEVICE_TIMEOUT: async ({ well }, operation) => ask(well, await createCustomer(well.database), operation),
  },
  deleteDevice: {
    DEVICE_NOT_FOUND: unknownDevice,
    DEVICE_IN_USE: changed({}),
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  deviceInfo: { DEVICE_NOT_FOUND: unknownDevice, SERVICE_UNAVAILABLE: unavailable },
  accountInfo: {
    NO_PLAN_CHOSEN: async ({ well }, operation) => ask(well, await withoutPeriod(well.database), operation),
    SERVICE_UNAVAILABLE: unavailable,
  },
  getRenewal: { RENEWAL_NOT_FOUND: changed({}), SERVICE_UNAVAILABLE: unavailable },
  listEvents: {
    INVALID_REQUEST: changed({ query: 'types=message.lost' }),
    CURSOR_EXPIRED: changed({ query: 'after=1-1-1-1' }),
    SERVICE_UNAVAILABLE: unavailable,
  },
  latestPlan: {
    NO_PLAN_CHOSEN: async ({ planless }, operation) => ask(planless, await withoutPeriod(planless.database), operation),
  },
};
