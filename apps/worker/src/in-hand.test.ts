/** Several messages that one claim takes: what becomes of those in hand when something comes between. */
import { cancelMessage } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import { useBench } from './testing/bench.js';
import { newPhoneNumber, numberedTexts } from './testing/network.js';

const bench = useBench();

test('behind a message that gets no answer they wait in hand for a second, and can be cancelled then', async () => {
  bench().startWorker({ ackTimeoutMs: 30_000 });
  const customer = await bench().customer({ quota: 10 });
  const [silent, phone] = [newPhoneNumber(), newPhoneNumber()];
  await bench().network.fault({ kind: 'swallow', recipient: silent });
  const [stuck = 'msg_', next = 'msg_', last = 'msg_'] = await bench().send(
    customer,
    [silent, phone, phone].map((recipient, i) => ({ recipient, text: `text ${i}` })),
  );
  await bench().untilStatus(next, 'sending');
  expect(await cancelMessage(bench().database, customer.accountId, next)).toBe('not-cancellable');
  await bench().untilStatus(next, 'queued');
  expect(await bench().message(stuck)).toMatchObject({ status: 'sending' });
  expect(await cancelMessage(bench().database, customer.accountId, next)).toBe('cancelled');
  await waitUntil(async () => (await bench().message(last)).status === 'queued', { what: 'the last one waits again' });
  expect(await bench().message(last)).toMatchObject({ attempts: 0, reason: null });
  expect(await bench().network.texts(phone)).toEqual([]);
});

test('a message that is cancelled as it is claimed takes none with it: the others arrive once, in order', async () => {
  const blocked = { claims: 0, before: null as (() => Promise<void>) | null };
  const holder = bench().openHolder({
    wrapClaimer: (claimer) => ({
      ...claimer,
      async submit(request) {
        blocked.claims++;
        const before = blocked.before;
        blocked.before = null;
        await before?.();
        return claimer.submit(request);
      },
    }),
  });
  const customer = await bench().hold(holder);
  const phone = newPhoneNumber();
  let commit = async () => undefined as unknown;
  let taken: string[] = [];
  blocked.before = async () => {
    const blocker = await bench().database.pool.connect();
    await blocker.query('BEGIN');
    const { rows } = await blocker.query<{ id: string }>(
      'SELECT id FROM messages WHERE device_id = $1 ORDER BY seq OFFSET 1 LIMIT 1 FOR UPDATE',
      [customer.deviceId],
    );
    taken = rows.map(({ id }) => id);
    await blocker.query(`UPDATE messages SET status = 'cancelled' WHERE id = ANY ($1)`, [taken]);
    commit = async () => {
      await blocker.query('COMMIT');
      blocker.release();
    };
    setTimeout(() => void commit(), 300);
  };
  await bench().sendTexts(customer, phone, numberedTexts(6));
  const expected = numberedTexts(6).filter((_, i) => i !== 1);
  await bench().network.expectTexts(phone, expected);
  expect(taken).toHaveLength(1);
  expect((await bench().network.inbox(phone)).map(({ copies }) => copies)).toEqual(expected.map(() => 0));
});

test('an otp that is rung for goes out before what is left of a broadcast', async () => {
  const heard = { ring: null as (() => void) | null };
  const holder = bench().openHolder({
    otpBell: {
      listen(_deviceId, onRing) {
        heard.ring = onRing;
        return () => undefined;
      },
    },
  });
  const customer = await bench().hold(holder);
  const [phone, other] = [newPhoneNumber(), newPhoneNumber()];
  await bench().network.fault({ kind: 'ack_late', recipient: phone, delay_ms: 300, count: 4 });
  const ids = await bench().sendTexts(customer, phone, numberedTexts(4), { priority: 'bulk' });
  await bench().untilStatus(ids[3] ?? 'msg_', 'sending');
  await bench().accept(customer, [{ recipient: other, text: 'otp', priority: 'otp' }]);
  await waitUntil(() => heard.ring, { what: 'the lane listens for otps' });
  heard.ring?.();
  await bench().network.untilTexts(other, 1);
  expect((await bench().network.texts(phone)).length).toBeLessThan(3);
  await bench().network.expectTexts(phone, numberedTexts(4));
});

test('of a device whose answers take long one message at a time is claimed', async () => {
  const most: number[] = [];
  const holder = bench().openHolder({
    ackTimeoutMs: 10_000,
    wrapClaimer: (claimer) => ({
      ...claimer,
      submit(request) {
        most.push(request.most);
        return claimer.submit(request);
      },
    }),
  });
  const customer = await bench().hold(holder);
  const phone = newPhoneNumber();
  await bench().network.fault({ kind: 'ack_late', recipient: phone, delay_ms: 1_100, count: 3 });
  await bench().sendTexts(customer, phone, numberedTexts(3));
  await bench().network.expectTexts(phone, numberedTexts(3));
  expect(most[0]).toBeGreaterThan(1);
  expect(most.slice(1)).toEqual(most.slice(1).map(() => 1));
});

test('what an earlier owner left unanswered is not all tried before an otp goes out', async () => {
  const worker = bench().startWorker();
  const customer = await bench().customer();
  await worker.stop();
  const [silent, phone] = [newPhoneNumber(), newPhoneNumber()];
  await bench().network.fault({ kind: 'swallow', recipient: silent, count: 9 });
  const jobs = await bench().accept(
    customer,
    numberedTexts(3).map((text) => ({ recipient: silent, text })),
  );
  const left = jobs.map(({ messageId }) => messageId);
  await bench().database.pool.query(
    `UPDATE messages SET status = 'sending', attempts = 1, epoch = 0 WHERE id = ANY ($1)`,
    [left],
  );
  await bench().accept(customer, [{ recipient: phone, text: 'otp', priority: 'otp' }]);
  bench().startWorker({ ackTimeoutMs: 1_200 });
  await bench().network.expectTexts(phone, ['otp']);
  const [first, ...others] = await Promise.all(left.map(async (id) => (await bench().message(id)).attempts));
  expect(first).toBe(3);
  // Beside the otp's arrival the next of them may have begun.
  for (const attempts of others) expect(attempts).toBeLessThan(3);
});

test('what is in hand is handed back again when Postgres was away, before the refusal in front of it is stored', async () => {
  const written: string[] = [];
  const holder = bench().openHolder({
    wrapOutcomes: (outcomes) => ({
      ...outcomes,
      answered(message, epoch, outcome) {
        written.push(outcome.kind);
        return outcomes.answered(message, epoch, outcome);
      },
      handBack(epoch, messages) {
        written.push(`${messages.length} back`);
        if (written.length === 1) return Promise.reject(Object.assign(new Error('away'), { code: 'ECONNRESET' }));
        return outcomes.handBack(epoch, messages);
      },
    }),
  });
  const customer = await bench().hold(holder);
  const phone = newPhoneNumber();
  const reason = 'temporarily_unavailable';
  const busy = { kind: 'ack_negative', recipient: phone, reason, permanent: false, retry_after_ms: 5_000 };
  await bench().network.fault(busy);
  const ids = await bench().sendTexts(customer, phone, numberedTexts(3));
  await waitUntil(() => written.includes('not-sent'), { what: 'the refusal is written' });
  expect(written.slice(0, 3)).toEqual(['2 back', '2 back', 'not-sent']);
  for (const id of ids) expect(await bench().message(id)).toMatchObject({ unanswered: 0 });
});
