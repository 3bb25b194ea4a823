/** A message goes from its acceptance to the phone, with or without its ticket. */
import { type DeviceId, messagePriorities, newId } from '@kurir/contracts';
import { cancelMessage, changeDevice, readDueLanes } from '@kurir/database';
import { callPresence, fillLanes } from '@kurir/queue';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import { type SupervisorOptions, type TestSupervisor, useWorkerFixture } from '../../test/worker-fixture.js';
import type { Customer } from '../../test/account-fixture.js';
import { newPhoneNumber, numberedTexts } from '../../test/network.js';

const fixture = useWorkerFixture();

async function untilLaneEmpty({ deviceId }: Customer): Promise<void> {
  await waitUntil(async () => (await fixture().queue.laneQueue(deviceId).getJobCountByTypes()) === 0, {
    what: 'the lane has no ticket',
  });
}

/** Expects that the network got each message once. */
async function expectNoCopies(phone: string): Promise<void> {
  const inbox = await fixture().network.inbox(phone);
  expect(inbox.filter((entry) => entry.copies > 0)).toEqual([]);
}

describe('a message', () => {
  test('is accepted, sent, delivered and read, and its timeline shows it', async () => {
    // The phone is so slow that no receipt overtakes the acknowledgement, even on a busy machine.
    await fixture().withNetwork({ receiptDelayMs: 600 }, async () => {
      fixture().startWorker();
      const customer = await fixture().customer({ quota: 5 });
      const phone = newPhoneNumber();
      const id = await fixture().sendOne(customer, { recipient: phone, text: 'Halo' });
      await fixture().untilStatus(id, 'read');
      expect(await fixture().timeline(customer, id)).toEqual(['queued', 'sending', 'sent', 'delivered', 'read']);
      expect(await fixture().message(id)).toMatchObject({ reason: null, attempts: 1, unanswered: 0 });
      expect(await fixture().network.inbox(phone)).toMatchObject([{ from: customer.number, text: 'Halo', copies: 0 }]);
      expect(await fixture().remainingQuota(customer)).toBe(4);
    });
  });

  test('keeps its place in its priority and recipient among many others', async () => {
    fixture().startWorker();
    const customer = await fixture().customer();
    const phones = [newPhoneNumber(), newPhoneNumber(), newPhoneNumber(), newPhoneNumber()];
    const inputs = Array.from({ length: 200 }, (_, i) => {
      const priority = messagePriorities[i % 3] ?? 'normal';
      return { recipient: phones[i % 4] ?? '', text: `${priority} ${i}`, priority };
    });
    for (let first = 0; first < 200; first += 50) await fixture().send(customer, inputs.slice(first, first + 50));
    for (const phone of phones) {
      const sent = inputs.filter((input) => input.recipient === phone).map((input) => input.text);
      await fixture().network.untilTexts(phone, sent.length);
      const arrived = await fixture().network.texts(phone);
      for (const priority of messagePriorities) {
        const ofPriority = (text: string) => text.startsWith(priority);
        expect(arrived.filter(ofPriority)).toEqual(sent.filter(ofPriority));
      }
      await expectNoCopies(phone);
    }
  });
});

describe('a pace', () => {
  const changePace = async (
    opened: TestSupervisor,
    { accountId, deviceId }: Customer,
    pacePerMinute: number | null,
  ) => {
    await changeDevice(fixture().database, fixture().sealer, accountId, deviceId, { pacePerMinute });
    await opened.supervisor.reconcile();
  };

  /** Opens a supervisor that makes tickets when a pace opens, and runs no other chores. */
  function openFillingSupervisor(options: SupervisorOptions = {}): TestSupervisor {
    const fillLane = async (deviceId: DeviceId) => {
      const { database, queue } = fixture();
      await fillLanes(queue, await readDueLanes(database, [deviceId], 0), (_id, error) => {
        throw error;
      });
    };
    return fixture().openSupervisor({ ...options, fillLane: (deviceId) => void fillLane(deviceId) });
  }

  test('spaces all messages in order, and needs only a few claims for each', async () => {
    let claims = 0;
    const opened = openFillingSupervisor({
      wrapClaimer: (claimer) => ({
        ...claimer,
        submit(request) {
          claims++;
          return claimer.submit(request);
        },
      }),
    });
    const customer = await fixture().sendingDevice(opened);
    await changePace(opened, customer, 300);
    const phone = newPhoneNumber();
    const begunAt = performance.now();
    // Each message has its ticket, and all tickets but the first come too early.
    for (const text of numberedTexts(6)) await fixture().sendOne(customer, { recipient: phone, text });
    await fixture().network.expectTexts(phone, numberedTexts(6));
    expect(performance.now() - begunAt).toBeGreaterThanOrEqual(5 * 200);
    expect(claims).toBeLessThanOrEqual(20);
    const at = await fixture().query<{ at: Date }>(
      `SELECT e.at FROM message_events e JOIN messages m ON m.id = e.message_id
       WHERE m.device_id = $1 AND e.status = 'sending' ORDER BY e.at`,
      [customer.deviceId],
    );
    const gaps = at.slice(1).map((row, i) => row.at.getTime() - (at[i]?.at.getTime() ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(199);
  });

  test('delays no one-time code', async () => {
    const opened = openFillingSupervisor();
    const customer = await fixture().sendingDevice(opened);
    await changePace(opened, customer, 1);
    const phone = newPhoneNumber();
    await fixture().sendTexts(customer, phone, numberedTexts(3), { priority: 'bulk' });
    await fixture().network.untilTexts(phone, 1);
    const id = await fixture().sendOne(customer, { recipient: phone, text: 'otp', priority: 'otp' });
    await fixture().untilStatus(id, 'read');
    expect(await fixture().network.texts(phone)).toEqual(['text 0', 'otp']);
  });

  test('counts at once after a change, whether it became slower or faster', async () => {
    const opened = openFillingSupervisor();
    const customer = await fixture().sendingDevice(opened);
    const phone = newPhoneNumber();
    await changePace(opened, customer, 600);
    await fixture().sendTexts(customer, phone, numberedTexts(30));
    await fixture().network.untilTexts(phone, 2);
    await changePace(opened, customer, 1);
    // The message that is being sent now is the last one for a minute.
    await opened.supervisor.get(customer.deviceId)?.recover();
    const { length } = await fixture().network.texts(phone);
    await opened.supervisor.get(customer.deviceId)?.recover();
    expect(await fixture().network.texts(phone)).toHaveLength(length);
    expect(length).toBeLessThan(30);
    const begunAt = performance.now();
    await changePace(opened, customer, null);
    await fixture().network.expectTexts(phone, numberedTexts(30));
    expect(performance.now() - begunAt).toBeLessThan(20_000);
  });
});

test('a scheduled message goes out when it is due, not before', async () => {
  fixture().startWorker();
  const customer = await fixture().customer();
  const phone = newPhoneNumber();
  const sendAt = new Date(Date.now() + 1_500);
  const [job] = await fixture().accept(customer, [{ recipient: phone, text: 'later', sendAt }]);
  const now = await fixture().sendOne(customer, { recipient: phone, text: 'now' });
  await fixture().untilStatus(now, 'read');
  await fixture().untilStatus(job?.messageId ?? 'msg_', 'read');
  const [, entry] = await fixture().network.inbox(phone);
  expect(entry?.text).toBe('later');
  // The test and the phone use the same clock.
  expect(Date.parse(entry?.received_at ?? '')).toBeGreaterThanOrEqual(sendAt.getTime());
});

describe('a ticket', () => {
  test('that is repeated, late or out of order sends each message once, in order', async () => {
    fixture().startWorker();
    const customer = await fixture().customer();
    await fixture().stopWorkers();
    const phone = newPhoneNumber();
    const texts = numberedTexts(30);
    const jobs = await fixture().accept(
      customer,
      texts.map((text) => ({ recipient: phone, text })),
    );
    await fixture().enqueue(jobs.slice(20).reverse());
    await fixture().enqueue(jobs.slice(0, 10));
    const lane = fixture().queue.laneQueue(customer.deviceId);
    for (const job of await lane.getJobs())
      await lane.add(job.name, job.data, { jobId: `again-${job.id}`, priority: job.priority });
    fixture().startWorker();
    await fixture().network.expectTexts(phone, texts);
    await fixture().enqueue(jobs);
    await untilLaneEmpty(customer);
    await expectNoCopies(phone);
    for (const { messageId } of jobs) expect((await fixture().message(messageId)).attempts).toBe(1);
  });

  test('that never reached Redis, or was deleted there, is made again by the sweep', async () => {
    fixture().startWorker();
    const customer = await fixture().customer({ pacePerMinute: 1_200 });
    const phone = newPhoneNumber();
    const texts = numberedTexts(40);
    const inputs = texts.map((text) => ({ recipient: phone, text }));
    await fixture().accept(customer, inputs.slice(0, 20));
    await fixture().send(customer, inputs.slice(20));
    await fixture().network.untilTexts(phone, 5);
    await fixture().queue.laneQueue(customer.deviceId).drain();
    await fixture().network.expectTexts(phone, texts);
    await expectNoCopies(phone);
  });

  test('whose message was cancelled does nothing', async () => {
    fixture().startWorker();
    const customer = await fixture().customer({ quota: 3 });
    await fixture().stopWorkers();
    const phone = newPhoneNumber();
    const [, cancelled, last] = await fixture().sendTexts(customer, phone, numberedTexts(3));
    if (cancelled === undefined || last === undefined) throw new Error('three messages were sent');
    expect(await cancelMessage(fixture().database, customer.accountId, cancelled)).toBe('cancelled');
    fixture().startWorker();
    await fixture().untilStatus(last, 'read');
    await untilLaneEmpty(customer);
    expect(await fixture().network.texts(phone)).toEqual(['text 0', 'text 2']);
    expect(await fixture().message(cancelled)).toMatchObject({ status: 'cancelled', attempts: 0 });
    expect(await fixture().remainingQuota(customer)).toBe(1);
  });

  test('of a one-time code that is sent already sends the messages that are due now, one-time codes first', async () => {
    const customer = await fixture().sendingDevice(fixture().openSupervisor());
    const phone = newPhoneNumber();
    const [first] = await fixture().accept(customer, [{ recipient: phone, text: 'otp', priority: 'otp' }]);
    if (first === undefined) throw new Error('a message was accepted');
    await fixture().enqueue([first]);
    await fixture().untilStatus(first.messageId, 'read');
    await untilLaneEmpty(customer);
    const later = { recipient: phone, text: 'otp 2', priority: 'otp' } as const;
    const [, second] = await fixture().accept(customer, [
      { recipient: phone, text: 'broadcast', priority: 'bulk' },
      later,
    ]);
    if (second === undefined) throw new Error('two messages were accepted');
    await fixture().enqueue([first]);
    await fixture().untilStatus(second.messageId, 'read');
    await untilLaneEmpty(customer);
    await fixture().network.untilTexts(phone, 3);
    expect(await fixture().network.texts(phone)).toEqual(['otp', 'otp 2', 'broadcast']);
  });

  test('that Kurir did not sign, or made for another lane, is dropped', async () => {
    const opened = fixture().openSupervisor();
    const customer = await fixture().sendingDevice(opened);
    const phone = newPhoneNumber();
    // Without the chores of a worker, only a ticket of its lane sends the message.
    const [ticket] = await fixture().accept(customer, [{ recipient: phone, text: 'Halo' }]);
    if (ticket === undefined) throw new Error('a message was accepted');
    const foreign = { ...ticket, deviceId: newId('dev') };
    await fixture().enqueue([foreign]);
    const [standing] = await fixture().queue.laneQueue(foreign.deviceId).getJobs();
    const lane = fixture().queue.laneQueue(customer.deviceId);
    await lane.add('turn', standing?.data, { jobId: 'foreign', priority: 1 });
    await lane.add('turn', { ...standing?.data, d: customer.deviceId }, { jobId: 'forged', priority: 1 });
    await untilLaneEmpty(customer);
    expect(await fixture().message(ticket.messageId)).toMatchObject({ status: 'queued', attempts: 0 });
    await fixture().enqueue([ticket]);
    await fixture().untilStatus(ticket.messageId, 'read');
  });
});

describe('typing', () => {
  async function typing(customer: Customer, phone: string, action: 'start' | 'stop') {
    const owner = (await fixture().owner(customer.deviceId)) ?? '';
    return callPresence(fixture().queue, { deviceId: customer.deviceId, owner, recipient: phone, action }, 3_000);
  }

  test('passes a backlog, and its caller gets the answer once the connection took it', async () => {
    fixture().startWorker();
    const customer = await fixture().customer({ pacePerMinute: 60 });
    const phone = newPhoneNumber();
    await fixture().sendTexts(customer, newPhoneNumber(), numberedTexts(100), { priority: 'bulk' });
    expect(await typing(customer, phone, 'start')).toBe('taken');
    expect(await typing(customer, phone, 'stop')).toBe('taken');
    await waitUntil(async () => (await fixture().network.typing(phone)).length === 2, {
      what: 'both signals are seen',
    });
    expect(await fixture().network.typing(phone)).toMatchObject([
      { from: customer.number, action: 'start' },
      { from: customer.number, action: 'stop' },
    ]);
  });

  test('of a device that is not connected returns `not-connected`', async () => {
    fixture().startWorker();
    const customer = await fixture().customer();
    await fixture().closeNetwork();
    await fixture().untilState(customer, 'connecting');
    expect(await typing(customer, newPhoneNumber(), 'start')).toBe('not-connected');
    await fixture().openNetwork();
  });
});
