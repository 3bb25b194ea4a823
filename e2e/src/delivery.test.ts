/** A message, a typing signal and an unlinking, from the api to the phone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPhoneNumber, readInbox, readTyping } from './phones/phone.js';
import { expectAllOnce, sendNumbered } from './stack/numbered-texts.js';
import { type Stack, startStack } from './stack/stack.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.stop());

describe('a message', () => {
  it('arrives once and in order, and its job is delivered with a timeline', async () => {
    const customer = await stack.createCustomer();
    const phone = newPhoneNumber();
    const [first] = await sendNumbered(customer, phone, 20);
    await expectAllOnce(stack, phone, 20);
    const job = await customer.client.waitForJob(first ?? '', { until: 'read' });
    expect(job.timeline.map((entry) => entry.status)).toEqual(['queued', 'sending', 'sent', 'delivered', 'read']);
    const [entry] = await readInbox(stack, phone);
    expect(entry?.network_message_id).toBe(job.networkMessageId);
  });

  it('fails and costs nothing if the number is not on the network', async () => {
    const customer = await stack.createCustomer({ quota: 5 });
    const { jobId } = await customer.client.sendMessage({ message: 'hello', phoneDestination: '6281200010000' });
    const job = await customer.client.waitForJob(jobId);
    expect(job).toMatchObject({ status: 'failed', reason: 'recipient_not_on_network' });
    expect(await customer.client.accountInfo()).toMatchObject({ initialQuota: '5', remainingQuota: '5' });
  });

  it('can be cancelled while it waits, which gives its quota back, but not when it is sent', async () => {
    const customer = await stack.createCustomer({ quota: 10 });
    const later = new Date(Date.now() + 3_600_000);
    const phone = newPhoneNumber();
    const { jobId } = await customer.client.sendMessage({ message: 'later', phoneDestination: phone, sendAt: later });
    expect(await customer.client.getMessage(jobId)).toMatchObject({ status: 'scheduled' });
    expect(await customer.client.accountInfo()).toMatchObject({ remainingQuota: '9' });
    expect(await customer.client.cancelMessage(jobId)).toMatchObject({ status: 'cancelled' });
    expect(await customer.client.accountInfo()).toMatchObject({ remainingQuota: '10' });
    const sent = await customer.client.sendMessage({ message: 'now', phoneDestination: phone });
    await customer.client.waitForJob(sent.jobId);
    await expect(customer.client.cancelMessage(sent.jobId)).rejects.toMatchObject({ code: 'JOB_NOT_CANCELLABLE' });
  });
});

describe('typing', () => {
  it('overtakes a thousand waiting messages', async () => {
    const customer = await stack.createCustomer({ pacePerMinute: 60 });
    const phone = newPhoneNumber();
    await sendNumbered(customer, newPhoneNumber(), 1_000, 'bulk');
    await customer.client.chatPresence({ action: 'start', phoneDestination: phone });
    expect(JSON.stringify(await readTyping(stack, phone))).toContain('start');
    const page = await customer.client.listMessages({ status: 'queued', limit: 100 });
    expect(page.nextCursor).not.toBeNull();
  });
});

describe('unlinking', () => {
  it('fails the waiting messages, gives their quota back and refuses further sends', async () => {
    const customer = await stack.createCustomer({ quota: 100, pacePerMinute: 60 });
    const jobIds = await sendNumbered(customer, newPhoneNumber(), 50);
    await customer.client.disconnectDevice();
    expect(await customer.client.deviceInfo()).toMatchObject({ state: 'disconnected' });
    const last = await customer.client.waitForJob(jobIds.at(-1) ?? '');
    expect(last).toMatchObject({ status: 'failed', reason: 'device_unlinked' });
    // A device that is no longer linked gets no receipt, so wait only for `sent`.
    const jobs = await Promise.all(jobIds.map((jobId) => customer.client.waitForJob(jobId, { until: 'sent' })));
    const kept = jobs.filter((job) => job.status !== 'failed').length;
    expect(kept).toBeLessThan(50);
    expect(await customer.client.accountInfo()).toMatchObject({ remainingQuota: String(100 - kept) });
    await expect(
      customer.client.sendMessage({ message: 'x', phoneDestination: newPhoneNumber() }),
    ).rejects.toMatchObject({ code: 'DEVICE_NOT_CONNECTED' });
    await expect(customer.client.disconnectDevice()).rejects.toMatchObject({ code: 'DEVICE_NOT_LINKED' });
  });
});
