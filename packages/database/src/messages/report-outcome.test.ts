import { waitUntil } from '@kurir/testing';
import { describe, expect, test, vi } from 'vitest';
import { present, type Standing, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { tryName } from './claim-message.js';
import { networkMessageIdOf } from './network-message-id.js';
import { createOutcomeWriter, type NetworkReport, type TryOutcome } from './report-outcome.js';

const fixture = useDatabaseFixture();

async function sendingOne(tenant: Tenant): Promise<Standing> {
  return present((await fixture().sending(tenant))[0]);
}

type Reported = NetworkReport['status'];
const report = ({ holder, networkMessageId }: Standing, status: Reported): NetworkReport => ({
  deviceId: holder.deviceId,
  networkMessageId,
  status,
});

const refusal: TryOutcome = { kind: 'not-sent', permanent: true, reason: 'recipient_not_on_network' };
const notNow: TryOutcome = {
  kind: 'not-sent',
  permanent: false,
  reason: 'rate_limited_by_network',
  retryAfterMs: 1_500.5,
};

describe('the outcome of a try', () => {
  test.each<[string, TryOutcome, object]>([
    ['an acknowledgement', { kind: 'sent' }, { status: 'sent', reason: null }],
    ['a permanent refusal', refusal, { status: 'failed', reason: 'recipient_not_on_network' }],
    ['a refusal for now', notNow, { status: 'queued', reason: 'rate_limited_by_network', held: true }],
  ])('is written: %s', async (_what, outcome, state) => {
    const tenant = await fixture().tenant();
    const tried = await sendingOne(tenant);
    const writer = createOutcomeWriter(fixture().database);
    expect(await writer.answered(tried, tenant.holder.epoch, outcome)).toBe(true);
    expect(await fixture().state(tried.id)).toMatchObject({ ...state, attempts: 1, unanswered: 0 });
    expect(await writer.answered(tried, tenant.holder.epoch, outcome)).toBe(false);
  });

  test('of an earlier owner counts if it is an acknowledgement, but not if it is a refusal', async () => {
    const tenant = await fixture().tenant();
    const tried = await sendingOne(tenant);
    await fixture().change(tried.id, 'epoch = epoch + 1, unanswered = 1');
    const writer = createOutcomeWriter(fixture().database);
    expect(await writer.answered(tried, tenant.holder.epoch, refusal)).toBe(false);
    expect(await writer.answered(tried, tenant.holder.epoch, notNow)).toBe(false);
    expect(await fixture().state(tried.id)).toMatchObject({ status: 'sending' });
    expect(await writer.answered(tried, tenant.holder.epoch, { kind: 'sent' })).toBe(true);
  });

  test('of an earlier try counts if it is an acknowledgement, but not if it is a refusal', async () => {
    const tenant = await fixture().tenant();
    const first = await sendingOne(tenant);
    const next = await fixture().claim(tenant.holder, { lastTry: tryName(first) });
    if (next.kind !== 'claimed') throw new Error('there was no next try');
    const writer = createOutcomeWriter(fixture().database);
    expect(await writer.answered(first, tenant.holder.epoch, refusal)).toBe(false);
    expect(await writer.answered(first, tenant.holder.epoch, notNow)).toBe(false);
    expect(await fixture().state(first.id)).toMatchObject({
      status: 'sending',
      attempts: 2,
      unanswered: 1,
      held: false,
    });
    expect(await writer.answered(first, tenant.holder.epoch, { kind: 'sent' })).toBe(true);
    expect(await writer.answered(next.message, tenant.holder.epoch, refusal)).toBe(false);
    expect(await fixture().events(first.id)).toEqual(['sent']);
  });

  test('for a message that has returned to the queue counts only if it is an acknowledgement', async () => {
    const tenant = await fixture().tenant();
    const tried = await sendingOne(tenant);
    await fixture().change(tried.id, `status = 'queued', unanswered = 1`);
    const writer = createOutcomeWriter(fixture().database);
    expect(await writer.answered(tried, tenant.holder.epoch, refusal)).toBe(false);
    expect(await writer.answered(tried, tenant.holder.epoch, notNow)).toBe(false);
    expect(await writer.answered(tried, tenant.holder.epoch, { kind: 'sent' })).toBe(true);
  });

  test.each<[string, TryOutcome]>([
    ['failed', refusal],
    ['unknown', { kind: 'sent' }],
  ])('for a message that has ended moves it only from unknown: %s', async (status, outcome) => {
    const tenant = await fixture().tenant();
    const tried = await sendingOne(tenant);
    await fixture().change(tried.id, `status = '${status}'`);
    const writer = createOutcomeWriter(fixture().database);
    expect(await writer.answered(tried, tenant.holder.epoch, outcome)).toBe(status === 'unknown');
  });
});

// Times are rounded to a millisecond, so "now" may be ahead.
test.each([
  ['has run out', `expires_at = now() - interval '1 millisecond'`],
  ["is somebody else's", `owner = 'wrk_other', epoch = epoch + 1`],
  ['was given back', `owner = NULL, expires_at = now() - interval '1 millisecond'`],
])(
  'a refusal does not count when the lease %s, even before the next owner has touched the message',
  async (_when, change) => {
    const tenant = await fixture().tenant();
    const tried = await sendingOne(tenant);
    await fixture().query(`UPDATE device_leases SET ${change} WHERE device_id = $1`, [tenant.deviceId]);
    const writer = createOutcomeWriter(fixture().database);
    expect(await writer.answered(tried, tenant.holder.epoch, refusal)).toBe(false);
    expect(await writer.answered(tried, tenant.holder.epoch, notNow)).toBe(false);
    expect(await fixture().state(tried.id)).toMatchObject({ status: 'sending' });
    expect(await writer.answered(tried, tenant.holder.epoch, { kind: 'sent' })).toBe(true);
  },
);

describe('a report of the network', () => {
  test('before the acknowledgement counts, and the late acknowledgement then changes nothing', async () => {
    const tenant = await fixture().tenant();
    const tried = await sendingOne(tenant);
    const writer = createOutcomeWriter(fixture().database);
    await writer.reported(report(tried, 'delivered'));
    expect(await writer.answered(tried, tenant.holder.epoch, { kind: 'sent' })).toBe(false);
    expect(await fixture().events(tried.id)).toEqual(['sent', 'delivered']);
  });

  test('counts for a message that waits after a refusal, and for one that is unknown', async () => {
    const tenant = await fixture().tenant();
    const both = await fixture().sending(tenant, 2);
    const [held, unknown] = [present(both[0]), present(both[1])];
    const writer = createOutcomeWriter(fixture().database);
    await writer.answered(held, held.holder.epoch, notNow);
    await fixture().change(unknown.id, `status = 'unknown', unanswered = 1`);
    await Promise.all(both.map((one) => writer.reported(report(one, 'delivered'))));
    expect(await fixture().state(held.id)).toMatchObject({ status: 'delivered', reason: null });
    expect(await fixture().events(held.id)).toEqual(['queued', 'sent', 'delivered']);
    expect(await fixture().events(unknown.id)).toEqual(['sent', 'delivered']);
  });

  test.each<[string, Reported[]]>([
    ['twice, late and out of order', ['read', 'delivered', 'read', 'sent']],
    ['in their order', ['sent', 'delivered', 'read']],
    ['the last one alone', ['read']],
  ])('together with others writes each step once and never moves back: %s', async (_how, statuses) => {
    const tenant = await fixture().tenant();
    const tried = await sendingOne(tenant);
    const writer = createOutcomeWriter(fixture().database);
    await Promise.all(statuses.map((status) => writer.reported(report(tried, status))));
    expect(await fixture().events(tried.id)).toEqual(['sent', 'delivered', 'read']);
    expect(await fixture().state(tried.id)).toMatchObject({ status: 'read' });
  });

  test('after a further one changes nothing', async () => {
    const tenant = await fixture().tenant();
    const tried = await sendingOne(tenant);
    const writer = createOutcomeWriter(fixture().database);
    for (const status of ['delivered', 'sent', 'delivered', 'read', 'sent'] as const)
      await writer.reported(report(tried, status));
    expect(await fixture().events(tried.id)).toEqual(['sent', 'delivered', 'read']);
  });

  test('about a message that we never sent, or that another device sent, is dropped', async () => {
    const [tenant, other] = [await fixture().tenant(), await fixture().tenant()];
    const tried = await sendingOne(tenant);
    const writer = createOutcomeWriter(fixture().database);
    await writer.reported({ ...report(tried, 'read'), networkMessageId: '3EB0FFFFFFFFFFFFFFFFFF' });
    await writer.reported({ ...report(tried, 'read'), deviceId: other.deviceId });
    expect(await fixture().state(tried.id)).toMatchObject({ status: 'sending' });
  });

  test('about a message that was never tried is dropped', async () => {
    const { deviceId, ...tenant } = await fixture().tenant();
    const [message] = await fixture().accept({ ...tenant, deviceId });
    const id = present(message).messageId;
    const { reported } = createOutcomeWriter(fixture().database);
    await reported({ deviceId, networkMessageId: networkMessageIdOf('simulator', id), status: 'delivered' });
    expect(await fixture().state(id)).toMatchObject({ status: 'queued' });
  });

  test('resolves after the commit, and then nothing is left to write', async () => {
    const tenant = await fixture().tenant();
    const tried = await sendingOne(tenant);
    const writer = createOutcomeWriter(fixture().database);
    const blocker = await fixture().database.pool.connect();
    await blocker.query('BEGIN');
    await blocker.query('SELECT 1 FROM messages WHERE id = $1 FOR UPDATE', [tried.id]);
    let committed = false;
    const reported = writer.reported(report(tried, 'delivered')).then(() => {
      committed = true;
    });
    const idle = writer.idle();
    await waitUntil(() => fixture().waitsForLock(), { what: 'the report waits for the message' });
    expect(committed).toBe(false);
    await blocker.query('COMMIT');
    blocker.release();
    await Promise.all([reported, idle]);
    expect(await fixture().state(tried.id)).toMatchObject({ status: 'delivered' });
  });
});

test('acknowledgements and receipts of the same messages, in opposite orders at once, are all written', async () => {
  const tenant = await fixture().tenant();
  const all = await fixture().sending(tenant, 150);
  const [one, two] = [createOutcomeWriter(fixture().database), createOutcomeWriter(fixture().database)];
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const writes: Promise<unknown>[] = [];
  for (const [i, tried] of all.entries()) {
    writes.push(one.answered(tried, tried.holder.epoch, { kind: 'sent' }));
    writes.push(two.reported(report(present(all[all.length - 1 - i]), 'delivered')));
    if (i % 10 === 0) await turn();
  }
  await Promise.all(writes);
  const lives = await Promise.all(all.map(({ id }) => fixture().events(id)));
  expect(new Set(lives.map((life) => life.join()))).toEqual(new Set(['sent,delivered']));
});

test('onMoved runs once for each batch that moved a message, and for no other', async () => {
  const tenant = await fixture().tenant();
  const all = await fixture().sending(tenant, 3);
  const onMoved = vi.fn<() => void>();
  const writer = createOutcomeWriter(fixture().database, onMoved);
  const answerAll = () =>
    Promise.all(all.map((tried) => writer.answered(tried, tried.holder.epoch, { kind: 'sent' as const })));
  expect(await answerAll()).toEqual([true, true, true]);
  expect(onMoved).toHaveBeenCalledTimes(1);
  expect(await answerAll()).toEqual([false, false, false]);
  expect(onMoved).toHaveBeenCalledTimes(1);
  for (const expected of [2, 2]) {
    await writer.reported(report(present(all[0]), 'read'));
    expect(onMoved).toHaveBeenCalledTimes(expected);
  }
});

test('a refused message does not stop its lane: the next one is claimed', async () => {
  const tenant = await fixture().tenant();
  const [, second] = await fixture().accept(tenant, [{}, {}]);
  const first = await fixture().claim(tenant.holder);
  if (first.kind !== 'claimed') throw new Error('nothing was claimed');
  await createOutcomeWriter(fixture().database).answered(first.message, tenant.holder.epoch, refusal);
  expect(await fixture().claim(tenant.holder)).toMatchObject({ kind: 'claimed', message: { id: second?.messageId } });
});
