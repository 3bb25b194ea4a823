/** What must stay true whatever dies: every accepted message once at the phone, or reported. */
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
  it('accepted while Redis is down is delivered after it is back', async () => {
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

  it('waiting in a Redis that is wiped is delivered all the same', async () => {
    const customer = await stack.createCustomer({ pacePerMinute: 600 });
    const phone = newPhoneNumber();
    await sendNumbered(customer, phone, 40);
    await wipeRedis(stack);
    await expectAllOnce(stack, phone, 40);
  });
});

describe('two workers', () => {
  it('one killed in mid-send: every message still arrives once, in order', async () => {
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
