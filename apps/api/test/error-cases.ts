/** A request for every error of every operation. The compiler reports an operation or a code without a case. */
import { limits, type publicOperations, type PublicOperationName } from '@kurir/contracts';
import { createDevice } from '@kurir/database';
import { templateErrorCases } from './template-error-cases.js';
import { broadcastErrorCases } from './broadcast-error-cases.js';
import { createCustomer } from './customer-fixture.js';
import {
  ask,
  type Case,
  changed,
  createWebhook,
  disabledWebhook,
  onOtherDevice,
  repeated,
  twice,
  unavailable,
  unknownDevice,
  unknownWebhook,
  unlinkedDevice,
  unreadable,
  withoutPeriod,
} from './error-requests.js';
import { contactCases } from './contact-error-cases.js';
import { aMessage } from './signed-request.js';

/** A time zone in which it is night now. */
function zoneOfNight(): string {
  const hourIn = (timeZone: string) =>
    Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format());
  const zone = Intl.supportedValuesOf('timeZone').find((name) => hourIn(name) >= 22 || hourIn(name) < 6);
  if (zone === undefined) throw new Error('it is day everywhere');
  return zone;
}

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
    RECIPIENT_SUPPRESSED: async ({ well }, operation) => {
      const customer = await createCustomer(well.database);
      await ask(well, customer, 'addSuppressions', { body: { phone: aMessage.phone_destination, scope: 'all' } });
      return ask(well, customer, operation);
    },
    EXPIRES_IN_QUIET_HOURS: async ({ well }, operation) => {
      const customer = await createCustomer(well.database);
      await well.database.pool.query(
        `INSERT INTO contacts (id, account_id, phone, time_zone) VALUES ('con_' || $1, $1, $2, $3)`,
        [customer.accountId, aMessage.phone_destination, zoneOfNight()],
      );
      return ask(well, customer, operation, { body: { ...aMessage, category: 'marketing', ttl_seconds: 60 } });
    },
    CONVERSATION_NOT_FOUND: changed({
      body: { message: 'Hi', conversation_id: 'cnv_01kajp4m3s5y8zt0v6qk2c9hbe' },
    }),
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
    CONVERSATION_NOT_FOUND: changed({
      body: { action: 'start', conversation_id: 'cnv_01kajp4m3s5y8zt0v6qk2c9hbe' },
    }),
    SERVICE_UNAVAILABLE: unavailable,
    DEVICE_TIMEOUT: async ({ well }, operation) => ask(well, await createCustomer(well.database), operation),
  },
  listMessages: { INVALID_REQUEST: changed({ query: 'limit=0' }), SERVICE_UNAVAILABLE: unavailable },
  getMessage: { JOB_NOT_FOUND: changed({}), SERVICE_UNAVAILABLE: unavailable },
  readMessageText: { JOB_NOT_FOUND: changed({}), SERVICE_UNAVAILABLE: unavailable },
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
  deviceHealth: { DEVICE_NOT_FOUND: unknownDevice, SERVICE_UNAVAILABLE: unavailable },
  accountInfo: {
    NO_PLAN_CHOSEN: async ({ well }, operation) => ask(well, await withoutPeriod(well.database), operation),
    SERVICE_UNAVAILABLE: unavailable,
  },
  getRenewal: { RENEWAL_NOT_FOUND: changed({}), SERVICE_UNAVAILABLE: unavailable },
  listConversations: {
    INVALID_REQUEST: changed({ query: 'limit=0' }),
    INVALID_PHONE_NUMBER: changed({ query: 'phone=0812' }),
    SERVICE_UNAVAILABLE: unavailable,
  },
  getConversation: { CONVERSATION_NOT_FOUND: changed({}), SERVICE_UNAVAILABLE: unavailable },
  listConversationMessages: {
    CONVERSATION_NOT_FOUND: changed({}),
    INVALID_REQUEST: changed({ query: 'limit=0' }),
    SERVICE_UNAVAILABLE: unavailable,
  },
  markConversationRead: {
    CONVERSATION_NOT_FOUND: changed({}),
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  addSuppressions: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: {} }),
    INVALID_PHONE_NUMBER: changed({ body: { phones: ['6281234567890', '0812'] } }),
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  listSuppressions: {
    INVALID_REQUEST: changed({ query: 'scope=some' }),
    INVALID_PHONE_NUMBER: changed({ query: 'phone=0812' }),
    SERVICE_UNAVAILABLE: unavailable,
  },
  removeSuppression: {
    INVALID_REQUEST: changed({ query: 'scope=some' }),
    INVALID_PHONE_NUMBER: changed({ phone: '0812' }),
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  getOptOut: { SERVICE_UNAVAILABLE: unavailable },
  setOptOut: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: { stop_words: [] } }),
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  listEvents: {
    INVALID_REQUEST: changed({ query: 'types=message.lost' }),
    CURSOR_EXPIRED: changed({ query: 'after=1-1-1-1' }),
    SERVICE_UNAVAILABLE: unavailable,
  },
  latestPlan: {
    NO_PLAN_CHOSEN: async ({ planless }, operation) => ask(planless, await withoutPeriod(planless.database), operation),
  },
  createWebhook: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: { url: 'https://example.com', types: ['message.lost'] } }),
    WEBHOOK_URL_NOT_ALLOWED: changed({ body: { url: 'http://169.254.169.254/' } }),
    WEBHOOK_LIMIT_REACHED: async ({ well }, operation) => {
      const customer = await createCustomer(well.database);
      for (let i = 0; i < limits.webhooksMax; i++) await ask(well, customer, operation);
      return ask(well, customer, operation);
    },
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  listWebhooks: { SERVICE_UNAVAILABLE: unavailable },
  getWebhook: { WEBHOOK_NOT_FOUND: unknownWebhook, SERVICE_UNAVAILABLE: unavailable },
  updateWebhook: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: {} }),
    WEBHOOK_URL_NOT_ALLOWED: changed({ body: { url: 'https://example.com:22' } }),
    WEBHOOK_NOT_FOUND: unknownWebhook,
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  deleteWebhook: {
    WEBHOOK_NOT_FOUND: unknownWebhook,
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  rotateWebhookSecret: {
    WEBHOOK_NOT_FOUND: unknownWebhook,
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  pingWebhook: {
    WEBHOOK_NOT_FOUND: unknownWebhook,
    WEBHOOK_DISABLED: disabledWebhook,
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  replayWebhook: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: { since: 'yesterday' } }),
    WEBHOOK_NOT_FOUND: unknownWebhook,
    WEBHOOK_DISABLED: disabledWebhook,
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  listWebhookAttempts: {
    INVALID_REQUEST: changed({ query: 'outcome=lost' }),
    WEBHOOK_NOT_FOUND: unknownWebhook,
    SERVICE_UNAVAILABLE: unavailable,
  },
  listFailedEvents: {
    INVALID_REQUEST: changed({ query: 'limit=0' }),
    WEBHOOK_NOT_FOUND: unknownWebhook,
    SERVICE_UNAVAILABLE: unavailable,
  },
  ...contactCases,
  listRequests: { INVALID_REQUEST: changed({ query: 'outcome=lost' }), SERVICE_UNAVAILABLE: unavailable },
  listAudit: { INVALID_REQUEST: changed({ query: 'group=nobody' }), SERVICE_UNAVAILABLE: unavailable },
  exportAudit: { INVALID_REQUEST: changed({ query: 'time_zone=Jakarta' }), SERVICE_UNAVAILABLE: unavailable },
  resendEvent: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: {} }),
    WEBHOOK_NOT_FOUND: unknownWebhook,
    EVENT_NOT_FOUND: async ({ well, customer }, operation) =>
      ask(well, customer, operation, { body: { webhook_id: await createWebhook(well, customer, true) } }),
    WEBHOOK_DISABLED: disabledWebhook,
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  ...templateErrorCases,
  ...broadcastErrorCases,
};
