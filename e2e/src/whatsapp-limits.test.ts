/**
 * The limits that protect a number. Kurir shows WhatsApp's own limits and waits for them. A customer can set, see and
 * lift Kurir's limits.
 */
import type { Job } from '@kurir/client';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from './customers/customer.js';
import { createDevice, linkByQr, lookAt, patienceMs } from './customers/whatsapp-device.js';
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

const [known, stranger, another] = ['4915550000001', '4915550000002', '4915550000003'] as const;

async function send({ client }: Customer, to: string): Promise<string> {
  return (await client.sendMessage({ message: `to ${to}`, phoneDestination: to })).jobId;
}

const delivered = ({ client }: Customer, jobId: string) =>
  client.waitForJob(jobId, { until: 'delivered', timeoutMs: patienceMs });

/** A receipt may arrive before the network's acknowledgement. Then the timeline has no `sent`. */
const sentAt = ({ timeline }: Job) =>
  Date.parse(timeline.find(({ status }) => status === 'sent' || status === 'delivered')?.at ?? '');
const wayOf = (job: Job | undefined) => job?.timeline.map(({ status }) => status).filter((status) => status !== 'sent');

const untilWaiting = ({ client }: Customer, jobId: string) =>
  waitUntil(async () => (await client.getMessage(jobId)).reason === 'new_contacts_restricted', {
    what: 'the message says what it waits for',
    timeoutMs: patienceMs,
  });

describe('while WhatsApp forbids a number to write to strangers', () => {
  it('a refused message waits with its reason, messages to known people go on, and all resume in time', async () => {
    const { customer, number } = await linkByQr(relay, await createDevice(account));
    await delivered(customer, await send(customer, known));
    expect((await lookAt(customer)).newContacts).toMatchObject({ waiting: null, usedToday: 1 });

    // The network counts whole seconds.
    const until = new Date(Math.ceil(Date.now() / 1000) * 1000 + 15_000);
    await relay.restrict(number, until);
    const refused = await send(customer, stranger);
    await untilWaiting(customer, refused);
    const later = await send(customer, another);
    await untilWaiting(customer, later);
    expect((await lookAt(customer)).newContacts.waiting).toEqual({ reason: 'default', until: until.toISOString() });
    expect(await lookAt(customer)).toMatchObject({ state: 'connected' });
    const friendly = await delivered(customer, await send(customer, known));

    const jobs = await Promise.all([refused, later].map((jobId) => delivered(customer, jobId)));
    for (const job of jobs) {
      expect(sentAt(job)).toBeGreaterThanOrEqual(until.getTime());
      expect(sentAt(friendly), 'a known contact does not wait').toBeLessThan(sentAt(job));
    }
    // The message was refused once and then waited in the queue, not at the network.
    expect(wayOf(jobs[0])).toEqual(['queued', 'sending', 'queued', 'sending', 'delivered']);
    expect(wayOf(jobs[1])).toEqual(['queued', 'sending', 'delivered']);
    expect((await lookAt(customer)).newContacts.waiting).toBeNull();
  });
});

describe('the daily limit of new contacts', () => {
  it('delays messages to strangers, says until when, and can be lifted while the device runs', async () => {
    const { customer } = await linkByQr(relay, await createDevice(account, { newContactsPerDay: 1 }));
    await delivered(customer, await send(customer, known));
    const waiting = await send(customer, stranger);
    await untilWaiting(customer, waiting);
    await delivered(customer, await send(customer, known));
    const { newContacts, settings } = await lookAt(customer);
    expect({ newContacts, settings }).toMatchObject({
      settings: { newContactsPolicy: 'fixed', newContactsPerDay: 1, pacePerMinute: 600 },
      newContacts: { usedToday: 1, waiting: { reason: 'daily_limit', until: expect.stringMatching(/Z$/) } },
    });
    const changed = await customer.client.updateDevice({ newContactsPerDay: 2, typingMs: 300 });
    expect(changed.newContacts.waiting).toBeNull();
    await delivered(customer, waiting);
    expect((await relay.typing(stranger)).map(({ state }) => state)).toContain('composing');
  });
});

it('a WhatsApp device is polite by default', async () => {
  const { deviceId } = await account.client.createDevice({ name: 'Polite' });
  expect((await lookAt(account.withDevice(deviceId))).settings).toEqual({
    pacePerMinute: 20,
    paceJitterMs: 2_000,
    typingMs: 0,
    newContactsPolicy: 'automatic',
    groups: 'none',
    newContactsPerDay: 20,
    proxy: null,
  });
});
