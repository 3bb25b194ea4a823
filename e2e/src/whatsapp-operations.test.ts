/** Linking a WhatsApp device through the api, and the effects of the seven publicOperations at the phones. */
import { publicOperations, type PublicOperationName } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from './customers/customer.js';
import { signedFetch } from './customers/signed-fetch.js';
import {
  createDevice,
  type Linked,
  linkByQr,
  lookAt,
  patienceMs,
  shownCode,
  untilState,
} from './customers/whatsapp-device.js';
import { newPhoneNumber } from './phones/phone.js';
import { type RelayProgram, startRelay } from './phones/whatsapp-relay.js';
import { type Stack, startStack } from './stack/stack.js';

let relay: RelayProgram;
let stack: Stack;
let account: Customer;

beforeAll(async () => {
  relay = await startRelay();
  stack = await startStack({ env: { ...relay.env, KURIR_ACK_TIMEOUT_MS: '5000' } });
  account = await stack.createCustomer({ devices: 0 });
});
afterAll(async () => {
  await stack?.stop();
  await relay?.stop();
});

const [friend, other] = ['4915550000001', '4915550000002'] as const;

describe('linking through the api', () => {
  it('shows the newest QR, and a phone that scans it makes the device connected', async () => {
    const customer = await createDevice(account);
    const number = newPhoneNumber();
    expect(await customer.client.linkDevice()).toMatchObject({ state: 'pairing' });
    const first = await shownCode(customer);
    await relay.refresh(first);
    const second = await shownCode(customer, first);
    await expect(relay.scan(number, first)).rejects.toThrow('retired');
    await relay.scan(number, second);
    expect(await untilState(customer, 'connected')).toMatchObject({
      network: 'whatsapp',
      phoneNumber: number,
      pairing: null,
      stateReason: null,
    });
    expect(await relay.devices(number)).toHaveLength(1);
  });

  it('works by a code that is typed into the phone', async () => {
    const customer = await createDevice(account);
    const number = newPhoneNumber();
    await customer.client.linkDevice({ method: 'pairing_code', phoneNumber: number });
    const code = await shownCode(customer);
    expect(code).toMatch(/^[0-9A-Z]{4}-?[0-9A-Z]{4}$/);
    await relay.pair(number, code);
    expect(await untilState(customer, 'connected')).toMatchObject({ phoneNumber: number });
  });

  it('can be cancelled: the code soon links nothing, a quicker phone is unlinked, and linking can start again', async () => {
    const customer = await createDevice(account);
    await customer.client.linkDevice();
    const code = await shownCode(customer);
    await customer.client.cancelLink();
    expect(await lookAt(customer)).toMatchObject({
      state: 'disconnected',
      stateReason: 'link_cancelled',
      pairing: null,
    });
    const quick = await scanUntilWorthless(code);
    for (const number of quick)
      await waitUntil(async () => (await relay.devices(number)).length === 0, {
        what: `the device is unlinked from ${number} again`,
        timeoutMs: patienceMs,
      });
    await untilState(customer, 'disconnected');
    await expect(customer.client.cancelLink()).rejects.toMatchObject({ code: 'DEVICE_NOT_PAIRING' });
    await linkByQr(relay, customer);
    await expect(customer.client.linkDevice()).rejects.toMatchObject({ code: 'DEVICE_ALREADY_LINKED' });
  });
});

/** The worker learns of a cancelled link a moment later. Returns the phones that scanned before that. */
async function scanUntilWorthless(code: string): Promise<string[]> {
  const linked: string[] = [];
  const isWorthless = async () => {
    const number = newPhoneNumber();
    return relay.scan(number, code).then(() => void linked.push(number), isUnknown);
  };
  await waitUntil(isWorthless, { what: 'the code is worth nothing', timeoutMs: patienceMs });
  return linked;
}

const isUnknown = (error: unknown): boolean => String(error).includes('unknown or has expired');

/** Signs the request, and expects exactly the specification's envelope. */
async function ask(
  operation: PublicOperationName,
  { deviceId, ...customer }: Customer,
  body?: object,
): Promise<object> {
  const { method, path, device, message, data } = publicOperations[operation];
  const answer = await signedFetch(stack.baseUrl, customer, {
    method,
    target: path,
    ...(device ? { deviceId } : {}),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.body, operation).toEqual({ success: true, message, data: expect.any(Object) });
  expect(answer.status).toBe(200);
  expect(data.parse(answer.body.data)).toEqual(answer.body.data);
  return answer.body.data ?? {};
}

describe('the seven publicOperations on a linked device', () => {
  let linked: Linked;

  beforeAll(async () => {
    linked = await linkByQr(relay, await createDevice(account));
  });

  const textsFrom = async (recipient: string) =>
    (await relay.inbox(recipient)).filter(({ from }) => from === linked.number);

  const typingSeen = (state: string) =>
    waitUntil(
      async () => (await relay.typing(other)).some((signal) => signal.from === linked.number && signal.state === state),
      { what: `${state} is seen`, timeoutMs: patienceMs },
    );

  it('send: the text is decrypted once at the phone, under the id of the job', async () => {
    const { customer } = linked;
    const text = 'Kode Anda 493021 — jangan dibagikan 🔑';
    const data = await ask('sendMessage', customer, { message: text, phone_destination: friend });
    const { job_id: jobId } = publicOperations.sendMessage.data.parse(data);
    const job = await customer.client.waitForJob(jobId, { until: 'delivered', timeoutMs: patienceMs });
    expect(await textsFrom(friend)).toMatchObject([{ id: job.networkMessageId, text, copies: 1 }]);
    await relay.read(friend, job.networkMessageId ?? '');
    expect(await customer.client.waitForJob(jobId, { until: 'read' })).toMatchObject({ status: 'read' });
  });

  it('chat presence: the other phone sees typing begin and end', async () => {
    expect(await ask('chatPresence', linked.customer, { action: 'start', phone_destination: other })).toEqual({});
    await typingSeen('composing');
    await ask('chatPresence', linked.customer, { action: 'stop', phone_destination: other });
    await typingSeen('paused');
  });

  it('a conversation: the person sees typing, and that the message was read', async () => {
    const { client } = linked.customer;
    const id = await relay.send(friend, linked.number, 'Halo');
    const conversations = () => client.listConversations({ deviceId: linked.customer.deviceId, unread: true });
    await waitUntil(async () => (await conversations()).conversations.length === 1, {
      what: 'the message begins a conversation',
      timeoutMs: patienceMs,
    });
    const [{ conversationId } = { conversationId: '' }] = (await conversations()).conversations;
    await client.chatPresence({ action: 'start', conversationId });
    await waitUntil(async () => (await relay.typing(friend)).some(({ from }) => from === linked.number), {
      what: 'typing is seen',
      timeoutMs: patienceMs,
    });
    const wasRead = async () => (await relay.receipts(friend)).some((seen) => seen.id === id && seen.type === 'read');
    expect(await wasRead()).toBe(false);
    expect(await client.markConversationRead(conversationId)).toMatchObject({ unread: 0 });
    await waitUntil(wasRead, { what: 'the person sees that it was read', timeoutMs: patienceMs });
    expect((await conversations()).conversations).toEqual([]);
  });

  it('account info, plan and renewal: the plan, its price, and a page to pay on', async () => {
    expect(await ask('accountInfo', linked.customer)).toMatchObject({ user_id: account.accountId, days_left: 30 });
    expect(await ask('latestPlan', linked.customer)).toMatchObject({ duration: '30 hari', price: 50_000 });
    const renewal = publicOperations.renewAccount.data.parse(await ask('renewAccount', linked.customer));
    const page = await fetch(renewal.payment_url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('50.000')]);
  });

  it('device info: the state and three more fields', async () => {
    const info = await ask('deviceInfo', linked.customer);
    expect(info).toEqual({
      device_id: linked.customer.deviceId,
      state: 'connected',
      created_at: expect.stringMatching(/^20\d\d-.*Z$/),
    });
  });

  it('disconnect: the phone has unlinked the device when the answer comes, and sends are refused', async () => {
    const { customer, number } = linked;
    expect(await relay.devices(number)).toHaveLength(1);
    expect(await ask('disconnectDevice', customer)).toEqual({ device_id: customer.deviceId });
    expect(await relay.devices(number)).toEqual([]);
    expect(await ask('deviceInfo', customer)).toMatchObject({ state: 'disconnected' });
    const late = customer.client.sendMessage({ message: 'late', phoneDestination: friend });
    await expect(late).rejects.toMatchObject({ code: 'DEVICE_NOT_CONNECTED' });
  });
});
