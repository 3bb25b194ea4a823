/**
 * Causes every error of every endpoint and stores the answers as the examples of the OpenAPI document. `vitest -u`
 * writes them again. The compiler reports an endpoint or a code without a case.
 */
import {
  type commonErrors,
  type ErrorCode,
  endpoints,
  errorCatalogue,
  errorCodes,
  type Operation,
  operations,
} from '@kurir/contracts';
import { createAccount, createDevice, type Database } from '@kurir/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConnectedDevice, createCustomer, createKey, type Customer } from '../../test/customer.js';
import { aMessage, type CallOptions, call, readAnswer, type Sent, sendSigned } from '../../test/signed-request.js';
import { startApiOn, startTestApi, type TestApi } from '../../test/test-api.js';

const examplesFile = '../../../../packages/contracts/src/documents/error-examples.json';

/** One api for each situation. All share a database except `planless`, whose database has no plan. */
type Stage = {
  readonly well: TestApi;
  readonly planless: TestApi;
  readonly limited: TestApi;
  readonly broken: TestApi;
  readonly unreachable: TestApi;
  readonly unpaid: TestApi;
  /** A customer in the shared database, for requests that change nothing. */
  readonly customer: Customer;
};

type Case = (stage: Stage, operation: Operation) => Promise<Sent>;

const bodies: Partial<Record<Operation, unknown>> = {
  sendMessage: aMessage,
  sendBulk: { messages: [aMessage] },
  chatPresence: { action: 'start', phone_destination: '6281234567890' },
  createDevice: { name: 'Toko' },
  cancelMessages: { filter: { priority: 'bulk' } },
  updateDevice: { pace_per_minute: 20 },
  linkDevice: {},
};

const ask = (api: TestApi, customer: Customer, operation: Operation, options: CallOptions = {}) =>
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

async function unsigned({ well }: Stage, operation: Operation): Promise<Sent> {
  const { method, path } = endpoints[operation];
  return readAnswer(await fetch(well.url + path, { method }));
}

const common: Record<(typeof commonErrors)[number], Case> = {
  MISSING_CREDENTIALS: unsigned,
  INVALID_API_KEY: ({ well }, operation) => ask(well, stranger, operation),
  INVALID_SIGNATURE: ({ well, customer }, operation) =>
    ask(well, { ...customer, key: { ...customer.key, secret: 'ks_test_wrong' } }, operation),
  TIMESTAMP_OUT_OF_RANGE: ({ well }, operation) => ask(well, stranger, operation, { timestamp: hourAgo() }),
  KEY_NOT_ALLOWED: async ({ well, customer }, operation) => {
    const scopes = [
      endpoints[operation].scope === 'devices:read' ? ('account:read' as const) : ('devices:read' as const),
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
  operation: Operation,
  body: string,
  headers: Record<string, string> = {},
): Promise<Sent> {
  const { key, deviceId } = customer;
  const { method, path } = endpoints[operation];
  return sendSigned(well.url, { method, target: path, body, key, headers: { 'X-Device-Id': deviceId, ...headers } });
}

const unreadable = {
  MALFORMED_REQUEST: (stage, operation) => sendRaw(stage, operation, '{"message": '),
  PAYLOAD_TOO_LARGE: (stage, operation) => sendRaw(stage, operation, ' '.repeat(endpoints[operation].maxBodyBytes + 1)),
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

const cases: { readonly [O in Operation]: Record<(typeof endpoints)[O]['errors'][number], Case> } = {
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
    NO_PLAN_CHOSEN: async ({ well }, operation) => ask(well, await withoutPeriod(well.database), operation),
    REPLAYED_REQUEST: repeated,
    INVALID_PAYMENT_METHOD: changed({ query: 'payment_method=cash' }),
    PAYMENT_METHOD_UNAVAILABLE: changed({ query: 'payment_method=crypto' }),
    PAYMENT_PROVIDER_ERROR: ({ unpaid, customer }, operation) => ask(unpaid, customer, operation),
    SERVICE_UNAVAILABLE: unavailable,
  },
  createDevice: {
    ...unreadable,
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
  deviceInfo: { DEVICE_NOT_FOUND: unknownDevice, SERVICE_UNAVAILABLE: unavailable },
  accountInfo: {
    NO_PLAN_CHOSEN: async ({ well }, operation) => ask(well, await withoutPeriod(well.database), operation),
    SERVICE_UNAVAILABLE: unavailable,
  },
  getRenewal: { RENEWAL_NOT_FOUND: changed({}), SERVICE_UNAVAILABLE: unavailable },
  latestPlan: {
    NO_PLAN_CHOSEN: async ({ planless }, operation) => ask(planless, await withoutPeriod(planless.database), operation),
  },
};

/** Makes ids, times and counters equal in every run. */
function normalise(sentence: string): string {
  return sentence
    .replace(/\b([a-z]{3})_[0-9a-z]{26}\b/g, '$1_01kajp4m3s5y8zt0v6qk2c9hbe')
    .replace(/\b\d{13}\b/g, '1795255200000')
    .replace(/time is \d{10} \([^)]*\)/g, 'time is 1795255200 (2026-11-21T10:00:00.000Z)')
    .replace(/off by -\d+ s/g, 'off by -3600 s')
    .replace(/again in \d+ s/g, 'again in 42 s');
}

type Example = { readonly status: number; readonly code: string; readonly error: string };

async function produce(operation: Operation, code: ErrorCode, produceIt: Case): Promise<Example> {
  const answer = await produceIt(stage, operation);
  expect({ operation, ...answer.body }).toEqual({ operation, success: false, code, error: expect.any(String) });
  expect(answer.status).toBe(errorCatalogue[code].status);
  expect(answer.headers.get('X-Request-Id')).toMatch(/^req_/);
  return { status: answer.status, code, error: normalise(answer.body.error) };
}

type Task = { readonly operation: Operation; readonly code: ErrorCode; readonly produceIt: Case };

/** All cases, in the order of the route table and the catalogue. */
const tasks: readonly Task[] = operations.flatMap((operation) => {
  const all: Partial<Record<ErrorCode, Case>> = { ...common, ...cases[operation] };
  return errorCodes.flatMap((code) => {
    const produceIt = all[code];
    return produceIt === undefined ? [] : [{ operation, code, produceIt }];
  });
});

/** Runs the cases one after the other. Only those that wait for a timeout run in parallel. */
async function produceAll(): Promise<Partial<Record<Operation, Example[]>>> {
  const run = ({ operation, code, produceIt }: Task) => produce(operation, code, produceIt);
  const waiting = new Map(tasks.filter(({ code }) => code === 'DEVICE_TIMEOUT').map((task) => [task, run(task)]));
  const examples: Partial<Record<Operation, Example[]>> = {};
  for (const task of tasks) {
    const example = await (waiting.get(task) ?? run(task));
    examples[task.operation] = [...(examples[task.operation] ?? []), example];
  }
  return examples;
}

let stage: Stage;

beforeAll(async () => {
  const fail = () => Promise.reject(new Error('a part of ours is broken'));
  const brokenKeys = { read: fail, readAnew: fail };
  const well = await startTestApi();
  const { settings } = well;
  stage = {
    well,
    customer: await createCustomer(well.database),
    planless: await startTestApi(),
    limited: await startApiOn({ ...settings, KURIR_RATE_LIMIT_PER_MINUTE: 1 }),
    broken: await startApiOn(settings, { keys: brokenKeys }),
    unreachable: await startApiOn({ ...settings, DATABASE_URL: 'postgresql://postgres@127.0.0.1:1/none' }),
    unpaid: await startApiOn(settings, {
      payments: { name: 'failing', openPage: () => Promise.reject(new Error('the provider is down')) },
    }),
  };
});

afterAll(async () => {
  const { well, planless, limited, broken, unreachable, unpaid } = stage;
  await Promise.all([planless, limited, broken, unreachable, unpaid].map((api) => api.close()));
  await well.close();
});

test('every error of every endpoint has the envelope and equals its recorded example', async () => {
  await expect(`${JSON.stringify(await produceAll(), null, 2)}\n`).toMatchFileSnapshot(examplesFile);
});
