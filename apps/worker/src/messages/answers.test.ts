/** What becomes of a message when the network is silent, late or refuses. */
import type { MessageId } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import { useWorkerFixture } from '../../test/worker-fixture.js';
import type { Customer } from '../../test/account-fixture.js';
import { newPhoneNumber, numberNotOnNetwork, numberedTexts } from '../../test/network.js';

const fixture = useWorkerFixture();
/** Long enough for a busy machine to answer in, short enough to wait for three times. */
const ackTimeoutMs = 1_200;

async function start(options: { quota?: number } = {}): Promise<{ customer: Customer; phone: string }> {
  fixture().startWorker({ ackTimeoutMs });
  return { customer: await fixture().customer(options), phone: newPhoneNumber() };
}

async function expectCopies(phone: string, copies: number): Promise<void> {
  expect((await fixture().network.inbox(phone)).map((entry) => entry.copies)).toEqual([copies]);
}

describe('a try that is not answered', () => {
  test('is followed by another under the same id, which the phone shows once', async () => {
    const { customer, phone } = await start();
    // A receipt would be an answer too.
    await fixture().network.fault({ kind: 'receipt_lost', recipient: phone, count: 2 });
    await fixture().network.fault({ kind: 'ack_lost', recipient: phone });
    const id = await fixture().sendOne(customer, { recipient: phone });
    await fixture().untilStatus(id, 'delivered');
    expect(await fixture().message(id)).toMatchObject({ attempts: 2, unanswered: 1 });
    await expectCopies(phone, 1);
  });

  test('the third time leaves the message unknown, and what is heard later moves it forward', async () => {
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

  test('keeps what comes after it waiting, and then lets it go', async () => {
    const { customer, phone } = await start();
    await fixture().network.fault({ kind: 'swallow', recipient: phone, count: 2 });
    await fixture().sendTexts(customer, phone, numberedTexts(5));
    await fixture().network.expectTexts(phone, numberedTexts(5));
  });

  test('of a message whose time runs out meanwhile leaves it unknown', async () => {
    const { customer, phone } = await start({ quota: 5 });
    await fixture().network.fault({ kind: 'swallow', recipient: phone });
    const id = await fixture().sendOne(customer, { recipient: phone });
    await fixture().untilStatus(id, 'sending');
    await fixture().query('UPDATE messages SET expires_at = now() WHERE id = $1', [id]);
    await fixture().untilStatus(id, 'unknown');
    expect(await fixture().message(id)).toMatchObject({ reason: 'no_answer', attempts: 1 });
    expect(await fixture().network.texts(phone)).toEqual([]);
    expect(await fixture().remainingQuota(customer)).toBe(4);
  });
});

describe('a permanent refusal', () => {
  test('fails the message with its reason and gives the quota back', async () => {
    const { customer, phone } = await start({ quota: 5 });
    const [, id] = await fixture().send(customer, [{ recipient: phone }, { recipient: numberNotOnNetwork }]);
    await fixture().untilStatus(id ?? 'msg_', 'failed');
    expect(await fixture().message(id ?? 'msg_')).toMatchObject({ reason: 'recipient_not_on_network', attempts: 1 });
    expect(await fixture().remainingQuota(customer)).toBe(4);
  });

  test('after a try that went unanswered leaves it unknown: the first one may have arrived', async () => {
    const { customer, phone } = await start({ quota: 5 });
    await fixture().network.fault({ kind: 'swallow', recipient: phone });
    await fixture().network.fault({ kind: 'ack_negative', recipient: phone, permanent: true });
    const id = await fixture().sendOne(customer, { recipient: phone });
    await fixture().untilStatus(id, 'unknown');
    expect(await fixture().message(id)).toMatchObject({ reason: 'rejected_by_network', attempts: 2, unanswered: 1 });
    expect(await fixture().remainingQuota(customer)).toBe(4);
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

describe('a message whose time has run out', () => {
  async function expired(id: MessageId): Promise<void> {
    await fixture().query(`UPDATE messages SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
  }

  test('is never sent, also when its job is there; it costs nothing', async () => {
    const { customer, phone } = await start({ quota: 5 });
    await fixture().stopWorkers();
    const late = await fixture().sendOne(customer, {
      recipient: phone,
      text: 'late',
      priority: 'otp',
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
