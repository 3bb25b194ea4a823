/** The encrypted path: a WhatsApp device that is linked by its QR code keeps the promises of every network. */
import { type RunningProgram, startProgram, waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from './customers/customer.js';
import { createDevice, type Linked, linkByQr } from './customers/whatsapp-device.js';
import { newPhoneNumber } from './phones/phone.js';
import { type RelayProgram, startRelay } from './phones/whatsapp-relay.js';
import { sendNumbered } from './stack/numbered-texts.js';
import { type Stack, startStack } from './stack/stack.js';

let relay: RelayProgram;
let stack: Stack;
beforeAll(async () => {
  relay = await startRelay();
  stack = await startStack({ workers: 2, env: { ...relay.env, KURIR_ACK_TIMEOUT_MS: '5000' } });
});
afterAll(async () => {
  await stack?.stop();
  await relay?.stop();
});

const linkTimeoutMs = 180_000;

/** Lets the phone scan each QR code that the admin command shows. */
async function scanShownCode(linking: RunningProgram, number: string): Promise<void> {
  const line = await linking.waitForLine(/QR to scan: /, linkTimeoutMs);
  await relay.scan(number, line.slice(line.indexOf('QR to scan: ') + 'QR to scan: '.length));
}

const createUnlinked = async (): Promise<Customer> => createDevice(await stack.createCustomer({ devices: 0 }));

function startLinking(deviceId: string, number: string): Promise<RunningProgram> {
  return startProgram({
    path: 'apps/api/dist/admin.js',
    args: ['device', 'link', deviceId, '--phone', number],
    env: stack.env,
  });
}

/** Links a device with the admin command. */
async function linkByCommand(customer: Customer): Promise<Linked> {
  const number = newPhoneNumber();
  const linking = await startLinking(customer.deviceId, number);
  await scanShownCode(linking, number);
  const { code } = await linking.exited;
  expect(code, linking.lines.join('\n')).toBe(0);
  return { customer, number };
}

const createLinked = async (): Promise<Linked> => linkByQr(relay, await createUnlinked());

async function textsFrom(recipient: string, sender: string): Promise<string[]> {
  return (await relay.inbox(recipient)).filter(({ from }) => from === sender).map(({ text }) => text);
}

async function expectTexts(recipient: string, sender: string, texts: readonly string[]): Promise<void> {
  await waitUntil(async () => (await textsFrom(recipient, sender)).length >= texts.length, {
    what: `${texts.length} texts at the recipient`,
    timeoutMs: 180_000,
  });
  expect(await textsFrom(recipient, sender)).toEqual(texts);
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `text ${i}`);

function recipientNumber(place: number): string {
  const number = relay.recipients[place];
  if (number === undefined) throw new Error(`the relay has no recipient ${place}`);
  return number;
}

describe('a device linked by its QR', () => {
  it('sends a text that the phone decrypts once, and its job reaches read', async () => {
    const { customer, number } = await linkByCommand(await createUnlinked());
    const recipient = recipientNumber(0);
    const { jobId } = await customer.client.sendMessage({ message: 'Halo', phoneDestination: recipient });
    const delivered = await customer.client.waitForJob(jobId, { until: 'delivered' });
    await expectTexts(recipient, number, ['Halo']);
    const [received] = (await relay.inbox(recipient)).filter(({ from }) => from === number);
    expect(received).toMatchObject({ id: delivered.networkMessageId, copies: 1 });
    await relay.read(recipient, delivered.networkMessageId ?? '');
    const read = await customer.client.waitForJob(jobId, { until: 'read' });
    // The phone's receipt may be stored before the server's acknowledgement. Then the timeline has no `sent`.
    const told = read.timeline.map(({ status }) => status);
    expect([
      ['queued', 'sending', 'sent', 'delivered', 'read'],
      ['queued', 'sending', 'delivered', 'read'],
    ]).toContainEqual(told);
  });

  it('shows its typing at the recipient', async () => {
    const { customer, number } = await createLinked();
    const recipient = recipientNumber(1);
    await customer.client.chatPresence({ action: 'start', phoneDestination: recipient });
    await waitUntil(
      async () => (await relay.typing(recipient)).some(({ from, state }) => from === number && state === 'composing'),
      { what: 'typing is seen' },
    );
  });

  it('fails a message to a number without an account, which costs nothing', async () => {
    const { customer } = await createLinked();
    const { jobId } = await customer.client.sendMessage({ message: 'Halo', phoneDestination: '4915559999999' });
    expect(await customer.client.waitForJob(jobId)).toMatchObject({
      status: 'failed',
      reason: 'recipient_not_on_network',
    });
  });

  it('is logged out at the network when the customer disconnects it', async () => {
    const { customer, number } = await createLinked();
    expect(await relay.devices(number)).toHaveLength(1);
    await customer.client.disconnectDevice();
    expect(await customer.client.deviceInfo()).toMatchObject({ state: 'disconnected' });
    expect(await relay.devices(number)).toHaveLength(0);
  });
});

/** The worker that connected the device, according to its log. */
function holderOf(deviceId: string): RunningProgram {
  const isConnection = (entry: Record<string, unknown>) =>
    entry['msg'] === 'device connected' && entry['deviceId'] === deviceId;
  const holder = stack.workers.find((worker) => worker.logs().some(isConnection));
  if (holder === undefined) throw new Error(`no worker has connected ${deviceId}`);
  return holder;
}

describe('a worker that is killed while it sends', () => {
  it('leaves no text lost, doubled or out of order, and the phone decrypts later texts', async () => {
    const { customer, number } = await createLinked();
    const recipient = recipientNumber(2);
    const count = 50;
    const jobIds = await sendNumbered(customer, recipient, count);
    await waitUntil(async () => (await textsFrom(recipient, number)).length > 10, { what: 'sending has begun' });
    await holderOf(customer.deviceId).kill();
    expect((await textsFrom(recipient, number)).length).toBeLessThan(count);
    await expectTexts(recipient, number, numbered(count));
    for (const jobId of jobIds) await customer.client.waitForJob(jobId, { until: 'delivered' });
    const { jobId } = await customer.client.sendMessage({ message: 'afterwards', phoneDestination: recipient });
    await customer.client.waitForJob(jobId, { until: 'delivered' });
    expect(await textsFrom(recipient, number)).toEqual([...numbered(count), 'afterwards']);
  });
});

it('a device is not linked if its phone requires a passkey, and the admin command says so at once', async () => {
  const { deviceId } = await createUnlinked();
  const number = newPhoneNumber();
  await relay.requirePasskey(number, true);
  const linking = await startLinking(deviceId, number);
  await expect(scanShownCode(linking, number)).rejects.toThrow('passkey');
  const { code } = await linking.exited;
  expect(code).not.toBe(0);
  expect(linking.lines.join('\n')).toMatch(/was not linked: passkey_required\. .*link another account/);
});
