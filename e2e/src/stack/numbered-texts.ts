/** Texts with numbers, so that a phone's inbox shows missing, doubled and misplaced texts. */
import { openDatabase } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { expect } from 'vitest';
import type { Customer } from '../customers/customer.js';
import { readInbox } from '../phones/phone.js';
import type { Stack } from './stack.js';

/** Sends `count` numbered texts in bulks. Returns their job ids in order. */
export async function sendNumbered(
  customer: Customer,
  phone: string,
  count: number,
  priority: 'otp' | 'normal' | 'bulk' = 'normal',
) {
  const jobIds: string[] = [];
  for (let first = 0; first < count; first += 100) {
    const messages = Array.from({ length: Math.min(100, count - first) }, (_, i) => ({
      message: `text ${first + i}`,
      phoneDestination: phone,
      priority,
    }));
    const { results } = await customer.client.sendBulk({ messages });
    for (const result of results) {
      if (!('jobId' in result)) throw new Error(`${result.code}: ${result.error}`);
      jobIds.push(result.jobId);
    }
  }
  return jobIds;
}

/** Names the messages that the network has not taken, with their states. */
async function describeUnsent(stack: Stack, phone: string): Promise<string> {
  const database = openDatabase({ url: stack.env['DATABASE_URL'] ?? '', poolSize: 1 });
  try {
    const { rows } = await database.pool.query<{ is: string }>(
      `SELECT concat_ws(' ', m.id, m.status, m.reason, m.attempts, m.waits_until, d.state) AS is
       FROM messages m JOIN devices d ON d.id = m.device_id
       WHERE m.recipient = $1 AND m.status IN ('queued', 'sending', 'failed', 'unknown', 'expired')`,
      [phone],
    );
    return rows.map((row) => row.is).join('; ');
  } finally {
    await database.close();
  }
}

/** Waits until the phone has each text exactly once, in the order in which the api accepted them. */
export async function expectAllOnce(stack: Stack, phone: string, count: number, timeoutMs = 180_000): Promise<void> {
  const allArrived = async () => {
    const { length } = await readInbox(stack, phone);
    if (length < count) throw new Error(`${length} have arrived`);
    return true;
  };
  await waitUntil(allArrived, { what: `${count} texts at the phone`, timeoutMs }).catch(async (error: unknown) => {
    throw new Error(`${String(error)}. Not sent: ${await describeUnsent(stack, phone)}`);
  });
  const texts = (await readInbox(stack, phone)).map((entry) => entry.text);
  expect(texts).toEqual(Array.from({ length: count }, (_, i) => `text ${i}`));
}
