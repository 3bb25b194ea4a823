/** Every accepted message reaches the phone once or is reported, whichever program or server dies. */
import { openDatabase } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAdmin } from './customers/customer.js';
import { newPhoneNumber, readInbox } from './phones/phone.js';
import { expectAllOnce, sendNumbered } from './stack/numbered-texts.js';
import { type Stack, startStack } from './stack/stack.js';
import { wipeRedis } from './stack/wipe-redis.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.stop());

describe('a message', () => {
  it('that is accepted while Redis is down is delivered when Redis is back', async () => {
    const customer = await stack.createCustomer();
    const phone = newPhoneNumber();
    await stack.redis.cut();
    try {
      const { jobId } = await customer.client.sendMessage({ message: 'text 0', phoneDestination: phone });
      expect(await customer.client.getMessage(jobId)).toMatchObject({ status: 'queued' });
    } finally {
      await stack.redis.restore();
    }
    await expectAllOnce(stack, phone, 1);
  });

  it('that waits when Redis is wiped is delivered', async () => {
    const customer = await stack.createCustomer({ pacePerMinute: 600 });
    const phone = newPhoneNumber();
    await sendNumbered(customer, phone, 40);
    await wipeRedis(stack);
    await expectAllOnce(stack, phone, 40);
  });
});

/** Waits until no worker holds a device of the account. */
async function untilLetGo(from: Stack, accountId: string): Promise<void> {
  const database = openDatabase({ url: from.env['DATABASE_URL'] ?? '', poolSize: 1 });
  const held = `SELECT 1 FROM device_leases l JOIN devices d ON d.id = l.device_id WHERE d.account_id = $1 AND l.owner IS NOT NULL`;
  const isLetGo = async () => (await database.pool.query(held, [accountId])).rows.length === 0;
  try {
    await waitUntil(isLetGo, { what: 'its devices are let go' });
  } finally {
    await database.close();
  }
}

describe('an account that is suspended while it sends', () => {
  it('sends nothing more and accepts nothing, and goes on once and in order when it resumes', async () => {
    const [customer, other] = [
      await stack.createCustomer({ devices: 2, pacePerMinute: 600 }),
      await stack.createCustomer(),
    ];
    const phones = customer.deviceIds.map(() => newPhoneNumber());
    const count = 200;
    const inboxes = () => Promise.all(phones.map(async (phone) => (await readInbox(stack, phone)).length));
    await Promise.all(
      customer.deviceIds.map((deviceId, i) => sendNumbered(customer.withDevice(deviceId), phones[i] ?? '', count)),
    );
    await waitUntil(async () => Math.min(...(await inboxes())) > 10, { what: 'sending has begun' });
    await runAdmin(stack.env, ['account', 'suspend', customer.accountId, '--reason', 'Reported as spam.']);
    await expect
      .poll(() => customer.client.listDevices().catch((error: { code: string }) => error.code))
      .toBe('ACCOUNT_SUSPENDED');
    await untilLetGo(stack, customer.accountId);
    const before = await inboxes();
    expect(Math.max(...before)).toBeLessThan(count);
    // Devices of others go on.
    const phone = newPhoneNumber();
    await sendNumbered(other, phone, 20);
    await expectAllOnce(stack, phone, 20);
    expect(await inboxes()).toEqual(before);
    await runAdmin(stack.env, ['account', 'resume', customer.accountId]);
    await Promise.all(phones.map((each) => expectAllOnce(stack, each, count)));
  });
});

describe('two workers, of which one is killed while it sends', () => {
  it('deliver every message once and in order', async () => {
    await stack.startWorker();
    const customer = await stack.createCustomer({ devices: 4 });
    const phones = customer.deviceIds.map(() => newPhoneNumber());
    const count = 150;
    await Promise.all(
      customer.deviceIds.map((deviceId, i) => sendNumbered(customer.withDevice(deviceId), phones[i] ?? '', count)),
    );
    await waitUntil(async () => (await readInbox(stack, phones[0] ?? '')).length > 20, { what: 'sending has begun' });
    await stack.workers[0]?.kill();
    await Promise.all(phones.map((phone) => expectAllOnce(stack, phone, count)));
  });
});
