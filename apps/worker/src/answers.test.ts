/** What becomes of a message when the network is silent, late or refuses. */
import type { MessageId } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import { useBench } from './testing/bench.js';
import type { Customer } from './testing/customers.js';
import { newPhoneNumber, numberNotOnNetwork, numberedTexts } from './testing/network.js';

const bench = useBench();
/** Long enough for a busy machine to answer in, short enough to wait for three times. */
const ackTimeoutMs = 1_200;

async function start(options: { quota?: number } = {}): Promise<{ customer: Customer; phone: string }> {
  bench().startWorker({ ackTimeoutMs });
  return { customer: await bench().customer(options), phone: newPhoneNumber() };
}

async function expectCopies(phone: string, copies: number): Promise<void> {
  expect((await bench().network.inbox(phone)).map((entry) => entry.copies)).toEqual([copies]);
}

describe('a try that is not answered', () => {
  test('is followed by another under the same id, which the phone shows once', async () => {
    const { customer, phone } = await start();
    // A receipt would be an answer too.
    await bench().network.fault({ kind: 'receipt_lost', recipient: phone, count: 2 });
    await bench().network.fault({ kind: 'ack_lost', recipient: phone });
    const id = await bench().sendOne(customer, { recipient: phone });
    await bench().untilStatus(id, 'delivered');
    expect(await bench().message(id)).toMatchObject({ attempts: 2, unanswered: 1 });
    await expectCopies(phone, 1);
  });

  test('the third time leaves the message unknown, and what is heard later moves it forward', async () => {
    await bench().withNetwork({ receiptDelayMs: 6 * ackTimeoutMs }, async () => {
      const { customer, phone } = await start({ quota: 5 });
      await bench().network.fault({ kind: 'ack_lost', recipient: phone, count: 2 });
      await bench().network.fault({ kind: 'ack_late', recipient: phone, delay_ms: 2 * ackTimeoutMs });
      const id = await bench().sendOne(customer, { recipient: phone });
      await bench().untilStatus(id, 'unknown');
      expect(await bench().message(id)).toMatchObject({ reason: 'no_answer', attempts: 3, unanswered: 3 });
      await expectCopies(phone, 2);
      await bench().untilStatus(id, 'delivered');
      expect(await bench().timeline(customer, id)).toEqual(['queued', 'sending', 'unknown', 'sent', 'delivered']);
      expect(await bench().remainingQuota(customer)).toBe(4);
    });
  });

  test('keeps what comes after it waiting, and then lets it go', async () => {
    const { customer, phone } = await start();
    await bench().network.fault({ kind: 'swallow', recipient: phone, count: 2 });
    await bench().sendTexts(customer, phone, numberedTexts(5));
    await bench().network.expectTexts(phone, numberedTexts(5));
  });

  test('of a message whose time runs out meanwhile leaves it unknown', async () => {
    const { customer, phone } = await start({ quota: 5 });
    await bench().network.fault({ kind: 'swallow', recipient: phone });
    const id = await bench().sendOne(customer, { recipient: phone });
    await bench().untilStatus(id, 'sending');
    await bench().query('UPDATE messages SET expires_at = now() WHERE id = $1', [id]);
    await bench().untilStatus(id, 'unknown');
    expect(await bench().message(id)).toMatchObject({ reason: 'no_answer', attempts: 1 });
    expect(await bench().network.texts(phone)).toEqual([]);
    expect(await bench().remainingQuota(customer)).toBe(4);
  });
});

describe('a permanent refusal', () => {
  test('fails the message with its reason and gives the quota back', async () => {
    const { customer, phone } = await start({ quota: 5 });
    const [, id] = await bench().send(customer, [{ recipient: phone }, { recipient: numberNotOnNetwork }]);
    await bench().untilStatus(id ?? 'msg_', 'failed');
    expect(await bench().message(id ?? 'msg_')).toMatchObject({ reason: 'recipient_not_on_network', attempts: 1 });
    expect(await bench().remainingQuota(customer)).toBe(4);
  });

  test('after a try that went unanswered leaves it unknown: the first one may have arrived', async () => {
    const { customer, phone } = await start({ quota: 5 });
    await bench().network.fault({ kind: 'swallow', recipient: phone });
    await bench().network.fault({ kind: 'ack_negative', recipient: phone, permanent: true });
    const id = await bench().sendOne(customer, { recipient: phone });
    await bench().untilStatus(id, 'unknown');
    expect(await bench().message(id)).toMatchObject({ reason: 'rejected_by_network', attempts: 2, unanswered: 1 });
    expect(await bench().remainingQuota(customer)).toBe(4);
  });
});

describe('a refusal for now', () => {
  test('holds the message and those after it to the same recipient; others go on, then all arrive in order', async () => {
    const { customer, phone } = await start();
    const other = newPhoneNumber();
    const refusal = {
      kind: 'ack_negative',
      permanent: false,
      reason: 'rate_limited_by_network',
      retry_after_ms: 2_000,
    };
    await bench().network.fault({ ...refusal, recipient: phone });
    const toBoth = numberedTexts(10).flatMap((text) => [
      { recipient: phone, text },
      { recipient: other, text },
    ]);
    const [first, , second] = await bench().send(customer, toBoth);
    if (first === undefined || second === undefined) throw new Error('twenty messages were sent');
    await bench().network.expectTexts(other, numberedTexts(10));
    expect(await bench().message(first)).toMatchObject({
      status: 'queued',
      reason: 'rate_limited_by_network',
      held: true,
    });
    expect(await bench().message(second)).toMatchObject({ status: 'queued', attempts: 0, reason: null });
    expect(await bench().network.texts(phone)).toEqual([]);
    await bench().network.expectTexts(phone, numberedTexts(10));
    await bench().untilStatus(first, 'read');
    const timeline = await bench().timeline(customer, first);
    expect(timeline.slice(0, 4)).toEqual(['queued', 'sending', 'queued', 'sending']);
  });
});

describe('a message whose time has run out', () => {
  async function expired(id: MessageId): Promise<void> {
    await bench().query(`UPDATE messages SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
  }

  test('is never sent, also when its job is there; it costs nothing', async () => {
    const { customer, phone } = await start({ quota: 5 });
    await bench().stopWorkers();
    const late = await bench().sendOne(customer, { recipient: phone, text: 'late', priority: 'otp', ttlSeconds: 300 });
    const fresh = await bench().sendOne(customer, { recipient: phone, text: 'fresh', priority: 'otp' });
    await expired(late);
    bench().startWorker();
    await bench().untilStatus(fresh, 'read');
    await bench().untilStatus(late, 'expired');
    expect(await bench().network.texts(phone)).toEqual(['fresh']);
    expect((await bench().message(late)).attempts).toBe(0);
    await waitUntil(async () => (await bench().remainingQuota(customer)) === 4, { what: 'the quota is back' });
  });
});
