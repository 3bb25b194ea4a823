/** Every accepted message reaches the phone once or is reported, whichever program or server dies. */
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
