/** The requests that lead to errors, for `error-cases.ts`. */
import { type commonErrors, publicOperations, type PublicOperationName } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { createAccount, createDevice, type Database } from '@kurir/database';
import { suspendAccount } from '@kurir/database/operators';
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
  addSuppressions: { phone: '6281234567890' },
  setOptOut: { stop_words: ['STOP'], start_words: ['START'], stop_reply: null, start_reply: null },
  createWebhook: { url: 'https://example.com/hook' },
  updateWebhook: { description: 'Shop' },
  replayWebhook: { since: '2026-11-21T09:00:00.000Z' },
  resendEvent: { webhook_id: 'whk_none' },
  createTemplate: { name: 'Pesanan siap', text: 'Halo {{nama}}' },
  createBroadcast: { name: 'Promo', message: 'Halo', device_ids: ['dev_01kajp4m3s5y8zt0v6qk2c9hbe'] },
  addBroadcastRecipients: { after: 0, rows: [{ phone: '6281234567890' }] },
  resumeBroadcast: { scope: 'pending' },
  startBroadcast: { confirm_any_hour: true },
  testBroadcast: { phone: '6281234567890' },
  updateBroadcast: { pace_per_minute: 60 },
  createTemplateVersion: { text: 'Hai {{nama}}' },
  previewTemplate: { text: 'Halo', rows: [{ phone: '6281234567890' }] },
  saveContact: { phone: '081234567890' },
  checkContacts: { phones: ['081234567890'] },
  changeContactLists: { filter: {}, add: ['promo'] },
  updateContact: { name: 'Budi' },
  createUpload: { bytes: 4 },
  createContactImport: { upload_id: 'upl_none', mapping: { phone: 'HP' } },
  addUploadPart: { number: 1, data: 'YQ==' },
};

export const ask = (api: TestApi, customer: Customer, operation: PublicOperationName, options: CallOptions = {}) =>
  call(api.url, customer, operation, { body: bodies[operation], ...options });

/** For requests that fail before the api looks for the caller. */
const stranger: Customer = {
  accountId: 'acc_none',
  key: { id: 'kk_test_0000000000000000000000', secret: 'ks_test_none' },
  deviceId: 'dev_none',
};

/** Sends the customer's request with `options`. */
export const changed =
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
  ACCOUNT_SUSPENDED: async ({ well }, operation) => {
    const customer = await createCustomer(well.database);
    await suspendAccount(well.database, customer.accountId, 'reported');
    return ask(well, customer, operation);
  },
  RATE_LIMITED: async ({ limited, customer }, operation) => {
    await ask(limited, customer, 'latestPlan');
    // On a busy machine Redis may answer too late to be asked about the key. Then the account refuses.
    const ofKey = async () => {
      const answer = await ask(limited, customer, operation);
      return answer.body.error.startsWith('This key') ? answer : null;
    };
    return waitUntil(ofKey, { what: 'the limit of the key refuses' });
  },
  INTERNAL_ERROR: ({ broken }, operation) => ask(broken, stranger, operation),
};

export async function withoutPeriod(database: Database): Promise<Customer> {
  const accountId = await createAccount(database, 'test');
  return {
    accountId,
    key: await createKey(database, accountId),
    deviceId: await createConnectedDevice(database, accountId),
  };
}

export const twice =
  (second: (customer: Customer, api: TestApi) => Promise<CallOptions>): Case =>
  async ({ well }, operation) => {
    const customer = await createCustomer(well.database);
    const timestamp = String(Date.now());
    await ask(well, customer, operation, { timestamp });
    return ask(well, customer, operation, { timestamp, ...(await second(customer, well)) });
  };

export const repeated = twice(() => Promise.resolve({}));
export const onOtherDevice = twice(async ({ accountId }, { database }) => ({
  deviceId: await createConnectedDevice(database, accountId),
}));
export const unknownDevice = changed({ deviceId: 'dev_00000000000000000000000000' });
export const unavailable: Case = ({ unreachable }, operation) => ask(unreachable, stranger, operation);

export async function createWebhook(api: TestApi, customer: Customer, enabled: boolean): Promise<string> {
  const made = await call(api.url, customer, 'createWebhook', { body: { url: 'https://example.com/hook', enabled } });
  return (made.body.data['webhook'] as { webhook_id: string }).webhook_id;
}

export const disabledWebhook: Case = async ({ well, customer }, operation) => {
  const webhookId = await createWebhook(well, customer, false);
  return ask(well, customer, operation, {
    webhookId,
    ...(operation === 'resendEvent' ? { body: { webhook_id: webhookId } } : {}),
  });
};
export const unknownWebhook = changed({});

export const unlinkedDevice: Case = async ({ well }, operation) => {
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
  const target = path.replace(/\{\w+\}/, 'none');
  return sendSigned(well.url, { method, target, body, key, headers: { 'X-Device-Id': deviceId, ...headers } });
}

export const unreadable = {
  MALFORMED_REQUEST: (stage, operation) => sendRaw(stage, operation, '{"message": '),
  PAYLOAD_TOO_LARGE: (stage, operation) =>
    sendRaw(stage, operation, ' '.repeat(publicOperations[operation].maxBodyBytes + 1)),
  UNSUPPORTED_MEDIA_TYPE: (stage, operation) => sendRaw(stage, operation, '{}', { 'Content-Type': 'text/plain' }),
} satisfies Record<string, Case>;
