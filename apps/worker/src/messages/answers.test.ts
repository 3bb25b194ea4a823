/** The network gives no answer, a late one, or a refusal. */
import type { MessageId } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import { useWorkerFixture } from '../../test/worker-fixture.js';
import type { Customer } from '../../test/account-fixture.js';
import { newPhoneNumber, numberNotOnNetwork, numberedTexts } from '../../test/network.js';

const fixture = useWorkerFixture();
/** Long enough for an answer on a busy machine, and short enough for three timeouts in a test. */
const ackTimeoutMs = 1_200;

async function start(options: { quota?: number } = {}): Promise<{ customer: Customer; phone: string }> {
  fixture().startWorker({ ackTimeoutMs });
  return { customer: await fixture().customer(options), phone: newPhoneNumber() };
}

async function expectCopies(phone: string, copies: number): Promise<void> {
  expect((await fixture().network.inbox(phone)).map((entry) => entry.copies)).toEqual([copies]);
}

describe('an unanswered try', () => {
  test('is followed by another under the same id, and the phone shows the message once', async () => {
    const { customer, phone } = await start();
    // A receipt would also be an answer.
    await fixture().network.fault({ kind: 'receipt_lost', recipient: phone, count: 2 });
    await fixture().network.fault({ kind: 'ack_lost', recipient: phone });
    const id = await fixture().sendOne(customer, { recipient: phone });
    await fixture().untilStatus(id, 'delivered');
    expect(await fixture().message(id)).toMatchObject({ attempts: 2, unanswered: 1 });
    await expectCopies(phone, 1);
  });

  test('leaves the message unknown the third time, and a later report moves it forward', async () => {
    await fixture().withNetwork({ receiptDelayMs: 6 * ackTimeoutMs }, async () => {
      const { customer, phone } = await start({ quota: 5 });
      await fixture().network.fault({ kind: 'ack_lost', recipient: phone, count: 2 });
      await fixture().network.fault({ kind: 'ack_late', recipient: phone, delay_ms: 2 * ackTimeoutMs });
      const id = await fixture().sendOne(customer, { recipient: phone });
      await fixture().untilStatus(id, 'unknown');
      expect(await fixture().message(id)).toMatchObject({ reason: 'no_answer', attempts: 3, unanswered: 3 });
      await expectCopies(phone, 2);
      await fixture().untilStatus(id, 'delivered');
      expect(await fixture().timeline(customer, id)).toEqual(['queued', 'sending', 'unknown', 'sent', 'delivered']);
      expect(await fixture().remainingQuota(customer)).toBe(4);
    });
  });

  test('delays the messages after it', async () => {
    const { customer, phone } = await start();
    await fixture().network.fault({ kind: 'swallow', recipient: phone, count: 2 });
    await fixture().sendTexts(customer, phone, numberedTexts(5));
    await fixture().network.expectTexts(phone, numberedTexts(5));
  });

  test('of a message that expires meanwhile leaves it unknown', async () => {
    const { customer, phone } = await start({ quota: 5 });
    await fixture().network.fault({ kind: 'swallow', recipient: phone });
    const id = await fixture().sendOne(customer, { recipient: phone });
    await fixture().untilStatus(id, 'sending');
    await fixture().query(`UPDATE messages SET expires_at = now() - interval '2 ms' WHERE id = $1`, [id]);
    await fixture().untilStatus(id, 'unknown');
    expect(await fixture().message(id)).toMatchObject({ reason: 'no_answer', attempts: 1 });
    expect(await fixture().network.texts(phone)).toEqual([]);
    expect(await fixture().remainingQuota(customer)).toBe(4);
  });
});

describe('a permanent refusal', () => {
  test('fails the message with its reason and refunds the quota', async () => {
    const { customer, phone } = await start({ quota: 5 });
    const [, id] = await fixture().send(customer, [{ recipient: phone }, { recipient: numberNotOnNetwork }]);
    await fixture().untilStatus(id ?? 'msg_', 'failed');
    expect(await fixture().message(id ?? 'msg_')).toMatchObject({ reason: 'recipient_not_on_network', attempts: 1 });
    expect(await fixture().remainingQuota(customer)).toBe(4);
  });

  test('after an unanswered try leaves the message unknown, because the first try may have arrived', async () => {
    const { customer, phone } = await start({ quota: 5 });
    await fixture().network.fault({ kind: 'swallow', recipient: phone });
    await fixture().network.fault({ kind: 'ack_negative', recipient: phone, permanent: true });
    const id = await fixture().sendOne(customer, { recipient: phone });
    await fixture().untilStatus(id, 'unknown');
    expect(await fixture().message(id)).toMatchObject({ reason: 'rejected_by_network', attempts: 2, unanswered: 1 });
    expect(await fixture().remainingQuota(customer)).toBe(4);
  });
});

describe('a temporary refusal', () => {
  test('delays the message and later ones to its recipient, but no others; then all arrive in order', async () => {
    const { customer, phone } = await start();
    const other = newPhoneNumber();
    const refusal = {
      kind: 'ack_negative',
      permanent: false,
      reason: 'rate_limited_by_network',
      retry_after_ms: 2_000,
    };
    await fixture().network.fault({ ...refusal, recipient: phone });
    const toBoth = numberedTexts(10).flatMap((text) => [
      { recipient: phone, text },
      { recipient: other, text },
    ]);
    const [first, , second] = await fixture().send(customer, toBoth);
    if (first === undefined || second === undefined) throw new Error('twenty messages were sent');
    await fixture().network.expectTexts(other, numberedTexts(10));
    expect(await fixture().message(first)).toMatchObject({
      status: 'queued',
      reason: 'rate_limited_by_network',
      deferred: true,
    });
    expect(await fixture().message(second)).toMatchObject({ status: 'queued', attempts: 0, reason: null });
    expect(await fixture().network.texts(phone)).toEqual([]);
    await fixture().network.expectTexts(phone, numberedTexts(10));
    await fixture().untilStatus(first, 'read');
    const timeline = await fixture().timeline(customer, first);
    expect(timeline.slice(0, 4)).toEqual(['queued', 'sending', 'queued', 'sending']);
  });
});

describe('an expired message', () => {
  async function expired(id: MessageId): Promise<void> {
    await fixture().query(`UPDATE messages SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
  }

  test('is never sent, even if its ticket is in the queue, and costs nothing', async () => {
    const { customer, phone } = await start({ quota: 5 });
    await fixture().stopWorkers();
    const late = await fixture().sendOne(customer, {
      recipient: phone,
      text: 'late',
      priority: 'otp',
      category: 'authentication',
      ttlSeconds: 300,
    });
    const fresh = await fixture().sendOne(customer, { recipient: phone, text: 'fresh', priority: 'otp' });
    await expired(late);
    fixture().startWorker();
    await fixture().untilStatus(fresh, 'read');
    await fixture().untilStatus(late, 'expired');
    expect(await fixture().network.texts(phone)).toEqual(['fresh']);
    expect((await fixture().message(late)).attempts).toBe(0);
    await waitUntil(async () => (await fixture().remainingQuota(customer)) === 4, { what: 'the quota is back' });
  });
});
