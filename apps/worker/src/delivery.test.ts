/** The way of a message from its acceptance to the phone, and what its job has to do with it. */
import { messagePriorities } from '@kurir/contracts';
import { cancelMessage, changeDevice } from '@kurir/database';
import { callPresence } from '@kurir/queue';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import { useBench } from './testing/bench.js';
import type { Customer } from './testing/customers.js';
import { newPhoneNumber, numberedTexts } from './testing/network.js';

const bench = useBench();

async function untilLaneEmpty({ deviceId }: Customer): Promise<void> {
  await waitUntil(async () => (await bench().queue.laneQueue(deviceId).getJobCountByTypes()) === 0, {
    what: 'the lane has no job',
  });
}

/** None of them was written to the network twice. */
async function expectNoCopies(phone: string): Promise<void> {
  const inbox = await bench().network.inbox(phone);
  expect(inbox.filter((entry) => entry.copies > 0)).toEqual([]);
}

describe('a message', () => {
  test('is accepted, sent, delivered and read, and its timeline tells it', async () => {
    // A phone that is slow enough for a busy machine: no receipt overtakes the acknowledgement.
    await bench().withNetwork({ receiptDelayMs: 600 }, async () => {
      bench().startWorker();
      const customer = await bench().customer({ quota: 5 });
      const phone = newPhoneNumber();
      const id = await bench().sendOne(customer, { recipient: phone, text: 'Halo' });
      await bench().untilStatus(id, 'read');
      expect(await bench().timeline(customer, id)).toEqual(['queued', 'sending', 'sent', 'delivered', 'read']);
      expect(await bench().message(id)).toMatchObject({ reason: null, attempts: 1, unanswered: 0 });
      expect(await bench().network.inbox(phone)).toMatchObject([{ from: customer.number, text: 'Halo', copies: 0 }]);
      expect(await bench().remainingQuota(customer)).toBe(4);
    });
  });

  test('keeps its place among 200 of three priorities to four recipients', async () => {
    bench().startWorker();
    const customer = await bench().customer();
    const phones = [newPhoneNumber(), newPhoneNumber(), newPhoneNumber(), newPhoneNumber()];
    const inputs = Array.from({ length: 200 }, (_, i) => {
      const priority = messagePriorities[i % 3] ?? 'normal';
      return { recipient: phones[i % 4] ?? '', text: `${priority} ${i}`, priority };
    });
    for (let first = 0; first < 200; first += 50) await bench().send(customer, inputs.slice(first, first + 50));
    for (const phone of phones) {
      const sent = inputs.filter((input) => input.recipient === phone).map((input) => input.text);
      await bench().network.untilTexts(phone, sent.length);
      const arrived = await bench().network.texts(phone);
      for (const priority of messagePriorities) {
        const ofPriority = (text: string) => text.startsWith(priority);
        expect(arrived.filter(ofPriority)).toEqual(sent.filter(ofPriority));
      }
      await expectNoCopies(phone);
    }
  });

  test('of priority otp overtakes a paced backlog and waits one interval at most', async () => {
    bench().startWorker();
    const customer = await bench().customer({ pacePerMinute: 240 });
    const phone = newPhoneNumber();
    await bench().sendTexts(customer, phone, numberedTexts(40), { priority: 'bulk' });
    await bench().network.untilTexts(phone, 3);
    const before = (await bench().network.texts(phone)).length;
    const id = await bench().sendOne(customer, { recipient: phone, text: 'otp', priority: 'otp' });
    await bench().untilStatus(id, 'read');
    // The one whose turn it was when the otp came, and the one that may have begun before its job stood in the lane.
    expect((await bench().network.texts(phone)).indexOf('otp')).toBeLessThanOrEqual(before + 2);
  });
});

test('a pace that is given while messages are in hand counts from the next one on; the others wait again', async () => {
  let claims = 0;
  let claimed = 0;
  const thirdClaim: { before?: () => Promise<void> } = {};
  const held = bench().openHolder({
    wrapClaimer: (claimer) => ({
      ...claimer,
      async submit(request) {
        const claim = ++claims;
        if (claim === 3) await thirdClaim.before?.();
        const outcome = await claimer.submit(request);
        if (claim < 3 && outcome.kind === 'claimed') claimed += outcome.messages.length;
        return outcome;
      },
    }),
  });
  const customer = await bench().hold(held);
  const { accountId, deviceId } = customer;
  thirdClaim.before = async () => {
    await changeDevice(bench().database, bench().sealer, accountId, deviceId, { pacePerMinute: 1 });
    await held.holder.reconcile();
  };
  const phone = newPhoneNumber();
  await bench().sendTexts(customer, phone, numberedTexts(40));
  const lane = bench().queue.laneQueue(deviceId);
  await waitUntil(async () => (await lane.getRateLimitTtl(1)) > 0, { what: 'the lane keeps its pace' });
  // The first of the third claim, and one that the lane with a pace sends.
  await bench().network.untilTexts(phone, claimed + 2);
  expect(claimed).toBeGreaterThan(2);
  expect(await bench().network.texts(phone)).toEqual(numberedTexts(claimed + 2));
});

test('a message for later goes out when its time has come, not before', async () => {
  bench().startWorker();
  const customer = await bench().customer();
  const phone = newPhoneNumber();
  const sendAt = new Date(Date.now() + 1_500);
  const [job] = await bench().accept(customer, [{ recipient: phone, text: 'later', sendAt }]);
  const now = await bench().sendOne(customer, { recipient: phone, text: 'now' });
  await bench().untilStatus(now, 'read');
  await bench().untilStatus(job?.messageId ?? 'msg_', 'read');
  const [, entry] = await bench().network.inbox(phone);
  expect(entry?.text).toBe('later');
  // Both clocks are this machine's.
  expect(Date.parse(entry?.received_at ?? '')).toBeGreaterThanOrEqual(sendAt.getTime());
});

describe('a job', () => {
  test('that is doubled, late or out of order sends each message once, in order', async () => {
    bench().startWorker();
    const customer = await bench().customer();
    await bench().stopWorkers();
    const phone = newPhoneNumber();
    const texts = numberedTexts(30);
    const jobs = await bench().accept(
      customer,
      texts.map((text) => ({ recipient: phone, text })),
    );
    await bench().enqueue(jobs.slice(20).reverse());
    await bench().enqueue(jobs.slice(0, 10));
    const lane = bench().queue.laneQueue(customer.deviceId);
    for (const job of await lane.getJobs())
      await lane.add(job.name, job.data, { jobId: `again-${job.id}`, priority: job.priority });
    bench().startWorker();
    await bench().network.expectTexts(phone, texts);
    await bench().enqueue(jobs);
    await untilLaneEmpty(customer);
    await expectNoCopies(phone);
    for (const { messageId } of jobs) expect((await bench().message(messageId)).attempts).toBe(1);
  });

  test('that never reached Redis, or was deleted there, is brought by the sweep', async () => {
    bench().startWorker();
    const customer = await bench().customer({ pacePerMinute: 1_200 });
    const phone = newPhoneNumber();
    const texts = numberedTexts(40);
    const inputs = texts.map((text) => ({ recipient: phone, text }));
    await bench().accept(customer, inputs.slice(0, 20));
    await bench().send(customer, inputs.slice(20));
    await bench().network.untilTexts(phone, 5);
    await bench().queue.laneQueue(customer.deviceId).drain();
    await bench().network.expectTexts(phone, texts);
    await expectNoCopies(phone);
  });

  test('whose message was cancelled does nothing', async () => {
    bench().startWorker();
    const customer = await bench().customer({ quota: 3 });
    await bench().stopWorkers();
    const phone = newPhoneNumber();
    const [, cancelled, last] = await bench().sendTexts(customer, phone, numberedTexts(3));
    if (cancelled === undefined || last === undefined) throw new Error('three messages were sent');
    expect(await cancelMessage(bench().database, customer.accountId, cancelled)).toBe('cancelled');
    bench().startWorker();
    await bench().untilStatus(last, 'read');
    await untilLaneEmpty(customer);
    expect(await bench().network.texts(phone)).toEqual(['text 0', 'text 2']);
    expect(await bench().message(cancelled)).toMatchObject({ status: 'cancelled', attempts: 0 });
    expect(await bench().remainingQuota(customer)).toBe(1);
  });

  test('of an otp that is sent already sends the otps after it, on a lane without a pace', async () => {
    const customer = await bench().hold(bench().openHolder());
    const phone = newPhoneNumber();
    const [first] = await bench().accept(customer, [{ recipient: phone, text: 'otp', priority: 'otp' }]);
    if (first === undefined) throw new Error('a message was accepted');
    await bench().enqueue([first]);
    await bench().untilStatus(first.messageId, 'read');
    await untilLaneEmpty(customer);
    const later = { recipient: phone, text: 'otp 2', priority: 'otp' } as const;
    const [, second] = await bench().accept(customer, [
      { recipient: phone, text: 'broadcast', priority: 'bulk' },
      later,
    ]);
    if (second === undefined) throw new Error('two messages were accepted');
    await bench().enqueue([first]);
    await bench().untilStatus(second.messageId, 'read');
    await untilLaneEmpty(customer);
    expect(await bench().network.texts(phone)).toEqual(['otp', 'otp 2']);
  });

  test('that Kurir did not sign, or that was made for another lane, is dropped', async () => {
    const worker = bench().startWorker();
    const customer = await bench().customer();
    const other = await bench().anotherDevice(customer.accountId);
    await worker.stop();
    const phone = newPhoneNumber();
    const [first] = await bench().accept(customer, [{ recipient: phone, text: 'Halo' }]);
    const [second] = await bench().accept(other, [{ recipient: phone, text: 'Halo juga' }]);
    if (first === undefined || second === undefined) throw new Error('two messages were accepted');
    await bench().enqueue([second]);
    const [standing] = await bench().queue.laneQueue(other.deviceId).getJobs();
    const lane = bench().queue.laneQueue(customer.deviceId);
    await lane.add('turn', standing?.data, { jobId: 'foreign', priority: 1 });
    await lane.add('turn', { ...standing?.data, d: customer.deviceId }, { jobId: 'forged', priority: 1 });
    // Without the chores of a worker, nothing but these jobs could send the first message.
    const { holder } = bench().openHolder();
    await holder.balance();
    await bench().untilStatus(second.messageId, 'read');
    await untilLaneEmpty(customer);
    expect(await bench().message(first.messageId)).toMatchObject({ status: 'queued', attempts: 0 });
    await bench().enqueue([first]);
    await bench().untilStatus(first.messageId, 'read');
  });
});

describe('typing', () => {
  async function typing(customer: Customer, phone: string, action: 'start' | 'stop') {
    const owner = (await bench().owner(customer.deviceId)) ?? '';
    return callPresence(bench().queue, { deviceId: customer.deviceId, owner, recipient: phone, action }, 3_000);
  }

  test('reaches the phone past a backlog, and is answered once the connection took it', async () => {
    bench().startWorker();
    const customer = await bench().customer({ pacePerMinute: 60 });
    const phone = newPhoneNumber();
    await bench().sendTexts(customer, newPhoneNumber(), numberedTexts(100), { priority: 'bulk' });
    expect(await typing(customer, phone, 'start')).toBe('taken');
    expect(await typing(customer, phone, 'stop')).toBe('taken');
    await waitUntil(async () => (await bench().network.typing(phone)).length === 2, { what: 'both signals are seen' });
    expect(await bench().network.typing(phone)).toMatchObject([
      { from: customer.number, action: 'start' },
      { from: customer.number, action: 'stop' },
    ]);
  });

  test('of a device that is not connected is answered so', async () => {
    bench().startWorker();
    const customer = await bench().customer();
    await bench().closeNetwork();
    await bench().untilState(customer, 'connecting');
    expect(await typing(customer, newPhoneNumber(), 'start')).toBe('not-connected');
    await bench().openNetwork();
  });
});

test('an otp on a lane with a pace takes whatever otp is due, everything else what its job stands for', async () => {
  const asked: [priority: number, isBound: boolean][] = [];
  const held = bench().openHolder({
    wrapClaimer: (claimer) => ({
      ...claimer,
      submit(request) {
        asked.push([request.priority, request.upToSeq !== null]);
        return claimer.submit(request);
      },
    }),
  });
  const customer = await bench().hold(held);
  await changeDevice(bench().database, bench().sealer, customer.accountId, customer.deviceId, { pacePerMinute: 600 });
  await held.holder.reconcile();
  const recipient = newPhoneNumber();
  for (const priority of messagePriorities) await bench().sendOne(customer, { recipient, text: priority, priority });
  await bench().network.untilTexts(recipient, messagePriorities.length);
  expect(new Map(asked)).toEqual(
    new Map([
      [0, false],
      [1, true],
      [2, true],
    ]),
  );
});
