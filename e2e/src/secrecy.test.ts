/**
 * A secret, a text and a phone number pass through every path. They must not appear in logs, Redis or process
 * arguments.
 */
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signedFetch } from './customers/signed-fetch.js';
import { injectFault, newPhoneNumber } from './phones/phone.js';
import { type Stack, startStack } from './stack/stack.js';
import { dumpRedis } from './stack/wipe-redis.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.stop());

/** The arguments of every process that this user may read; empty without /proc. */
async function processArguments(): Promise<string> {
  const entries = await readdir('/proc').catch(() => [] as string[]);
  const pids = entries.filter((entry) => /^[0-9]+$/.test(entry));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.join('\n');
}

it('no text, phone number or secret is in a log line, a Redis key or value, or a process argument', async () => {
  const customer = await stack.createCustomer({ pacePerMinute: 30 });
  const phone = newPhoneNumber();
  const text = `canary-${crypto.randomUUID()}`;
  const { client, deviceId } = customer;
  const body = JSON.stringify({ message: text, phone_destination: phone });
  const send = (extra: object) =>
    signedFetch(stack.baseUrl, customer, { method: 'POST', target: '/api/v1/messages/send', body, deviceId, ...extra });

  await injectFault(stack, { kind: 'ack_negative', recipient: phone, permanent: true, reason: 'rejected_by_network' });
  await client.sendMessage({ message: text, phoneDestination: phone });
  await client.sendBulk({
    messages: [
      { message: text, phoneDestination: phone },
      { message: text, phoneDestination: `${phone}x` },
    ],
  });
  await client.chatPresence({ action: 'start', phoneDestination: phone });
  await client.listMessages({ phoneDestination: phone });
  await send({ headers: { 'X-Signature': '00'.repeat(32) } });
  await send({ body: `{"message":"${text}","phone_destination":"${phone}"` });
  await send({ body: JSON.stringify({ message: text, phone_destination: phone, [text]: phone }) });
  await send({ target: `/api/v1/messages/send?${phone}=${text}` });
  await signedFetch(stack.baseUrl, customer, { method: 'GET', target: `/${text}/${phone}` });
  await client.renewAccount();

  const redis = await dumpRedis(stack);
  const processes = await processArguments();
  const logs = [stack.api, ...stack.workers].flatMap((program) => program.lines).join('\n');
  expect(logs.length).toBeGreaterThan(100);
  expect(redis).toContain(deviceId);
  for (const canary of [
    text,
    phone,
    customer.apiSecret,
    stack.env['KURIR_MASTER_KEY'] ?? '',
    stack.env['KURIR_INTERNAL_KEY'] ?? '',
  ]) {
    expect(canary).not.toBe('');
    expect(logs).not.toContain(canary);
    expect(redis).not.toContain(canary);
    expect(processes).not.toContain(canary);
  }
});
