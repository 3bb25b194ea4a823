import type { MessageId } from '@kurir/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test, vi } from 'vitest';
import type { AcceptedMessage } from './new-message.js';
import { createClaimer, readUnsettled } from './claim-message.js';
import { networkMessageIdOf } from './network-message-id.js';
import { createOutcomeWriter, type TryOutcome } from './report-outcome.js';
import { copies, present, type Tenant, useBench } from './testing/bench.js';

const bench = useBench();

/** Messages of the tenant that its device is sending. */
async function sending(tenant: Tenant, count = 1): Promise<MessageId[]> {
  const messages: AcceptedMessage[] = await bench().accept(tenant, copies(count));
  await bench().query(`UPDATE messages SET status = 'sending', attempts = 1, epoch = $2 WHERE account_id = $1`, [
    tenant.accountId,
    tenant.holder.epoch,
  ]);
  return messages.map((message) => message.messageId);
}

async function sendingOne(tenant: Tenant): Promise<MessageId> {
  const [id] = await sending(tenant);
  if (id === undefined) throw new Error('nothing was accepted');
  return id;
}

const tried = (id: MessageId) => ({ id, networkMessageId: networkMessageIdOf(id) });

const report = (tenant: Tenant, id: MessageId, status: 'sent' | 'delivered' | 'read') => ({
  deviceId: tenant.deviceId,
  networkMessageId: networkMessageIdOf(id),
  status,
});

const refusal: TryOutcome = { kind: 'not-sent', permanent: true, reason: 'recipient_not_on_network' };
/** Postgres has no number that large, and refuses the statement. */
const noEpoch = 2n ** 70n;
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
    const tenant = await bench().tenant();
    const id = await sendingOne(tenant);
    const writer = createOutcomeWriter(bench().database);
    expect(await writer.answered(tried(id), tenant.holder.epoch, outcome)).toBe(true);
    expect(await bench().state(id)).toMatchObject(state);
    expect(await writer.answered(tried(id), tenant.holder.epoch, outcome)).toBe(false);
  });

  test('of an earlier owner counts when it is an acknowledgement and not when it is a refusal', async () => {
    const tenant = await bench().tenant();
    const id = await sendingOne(tenant);
    await bench().query('UPDATE messages SET epoch = epoch + 1, unanswered = 1 WHERE id = $1', [id]);
    const writer = createOutcomeWriter(bench().database);
    expect(await writer.answered(tried(id), tenant.holder.epoch, refusal)).toBe(false);
    expect(await writer.answered(tried(id), tenant.holder.epoch, notNow)).toBe(false);
    expect(await bench().state(id)).toMatchObject({ status: 'sending' });
    expect(await writer.answered(tried(id), tenant.holder.epoch, { kind: 'sent' })).toBe(true);
  });
});

// Times are stored to the millisecond, and rounded: "now" may lie ahead.
test.each([
  ['has run out', `expires_at = now() - interval '1 millisecond'`],
  ["is somebody else's", `owner = 'wrk_other', epoch = epoch + 1`],
  ['was given back', `owner = NULL, expires_at = now() - interval '1 millisecond'`],
])(
  'a refusal does not count when the lease %s, even before the next owner has touched the message',
  async (_when, change) => {
    const tenant = await bench().tenant();
    const id = await sendingOne(tenant);
    await bench().query(`UPDATE device_leases SET ${change} WHERE device_id = $1`, [tenant.deviceId]);
    const writer = createOutcomeWriter(bench().database);
    expect(await writer.answered(tried(id), tenant.holder.epoch, refusal)).toBe(false);
    expect(await writer.answered(tried(id), tenant.holder.epoch, notNow)).toBe(false);
    expect(await bench().state(id)).toMatchObject({ status: 'sending' });
    expect(await writer.answered(tried(id), tenant.holder.epoch, { kind: 'sent' })).toBe(true);
  },
);

describe('a report of the network', () => {
  test('before the acknowledgement counts, and the late acknowledgement then changes nothing', async () => {
    const tenant = await bench().tenant();
    const id = await sendingOne(tenant);
    const writer = createOutcomeWriter(bench().database);
    expect(await writer.reported(report(tenant, id, 'delivered'))).toBe(true);
    expect(await writer.answered(tried(id), tenant.holder.epoch, { kind: 'sent' })).toBe(false);
    expect(await bench().events(id)).toEqual(['delivered']);
  });

  test('counts for a message that waits again after a refusal, and for one that is unknown', async () => {
    const tenant = await bench().tenant();
    const [held, unknown] = await sending(tenant, 2);
    if (held === undefined || unknown === undefined) throw new Error('nothing was accepted');
    const writer = createOutcomeWriter(bench().database);
    await writer.answered(tried(held), tenant.holder.epoch, notNow);
    await bench().query(`UPDATE messages SET status = 'unknown' WHERE id = $1`, [unknown]);
    await Promise.all([held, unknown].map((id) => writer.reported(report(tenant, id, 'sent'))));
    expect(await bench().state(held)).toMatchObject({ status: 'sent', reason: null });
    expect(await bench().state(unknown)).toMatchObject({ status: 'sent' });
  });

  test('twice, late and out of order never moves back', async () => {
    const tenant = await bench().tenant();
    const id = await sendingOne(tenant);
    const writer = createOutcomeWriter(bench().database);
    const moved = await Promise.all(
      (['read', 'delivered', 'read', 'sent'] as const).map((status) => writer.reported(report(tenant, id, status))),
    );
    expect(moved).toEqual([true, false, false, false]);
    expect(await bench().events(id)).toEqual(['read']);
  });

  test('delivered and read that arrive together are both in the timeline, in their order', async () => {
    const tenant = await bench().tenant();
    const id = await sendingOne(tenant);
    const writer = createOutcomeWriter(bench().database);
    await Promise.all(
      (['sent', 'delivered', 'read'] as const).map((status) => writer.reported(report(tenant, id, status))),
    );
    expect(await bench().events(id)).toEqual(['sent', 'delivered', 'read']);
  });

  test('that come together, behind one that came before, are told apart from it', async () => {
    const tenant = await bench().tenant();
    const [delivered, unknown] = await sending(tenant, 2);
    const writer = createOutcomeWriter(bench().database);
    await writer.reported(report(tenant, present(delivered), 'delivered'));
    await bench().query(`UPDATE messages SET status = 'unknown', unanswered = 1 WHERE id = $1`, [unknown]);
    const both = [present(delivered), present(unknown)];
    const statuses = ['delivered', 'read'] as const;
    const moved = await Promise.all(
      both.flatMap((id) => statuses.map((status) => writer.reported(report(tenant, id, status)))),
    );
    expect(moved).toEqual([false, true, true, true]);
    expect(await Promise.all(both.map((id) => bench().events(id)))).toEqual([
      ['delivered', 'read'],
      ['delivered', 'read'],
    ]);
    expect(await bench().state(present(unknown))).toMatchObject({ status: 'read' });
  });

  test('about a message that we never sent, or that another device sent, is dropped', async () => {
    const [tenant, other] = [await bench().tenant(), await bench().tenant()];
    const id = await sendingOne(tenant);
    const writer = createOutcomeWriter(bench().database);
    const strange = { deviceId: tenant.deviceId, networkMessageId: '3EB0FFFFFFFFFFFFFFFFFF', status: 'read' } as const;
    expect(await writer.reported(strange)).toBe(false);
    expect(await writer.reported(report(other, id, 'read'))).toBe(false);
    expect(await bench().state(id)).toMatchObject({ status: 'sending' });
  });

  test('about a message that was accepted and never tried is dropped', async () => {
    const tenant = await bench().tenant();
    const [message] = await bench().accept(tenant);
    if (message === undefined) throw new Error('nothing was accepted');
    const writer = createOutcomeWriter(bench().database);
    expect(await writer.reported(report(tenant, message.messageId, 'delivered'))).toBe(false);
  });
});

/** While the row of the message is locked by somebody else; `work` ends that by `release`. */
async function whileLocked(id: MessageId, work: (release: () => Promise<void>) => Promise<void>): Promise<void> {
  const blocker = await bench().database.pool.connect();
  try {
    await blocker.query('BEGIN');
    await blocker.query('SELECT 1 FROM messages WHERE id = $1 FOR UPDATE', [id]);
    await work(async () => void (await blocker.query('COMMIT')));
  } finally {
    blocker.release(true);
  }
}

const untilOneWaits = () =>
  waitUntil(() => bench().waitsForLock(), { what: 'a statement waits for the message', timeoutMs: 1_500 });

test.each(['even', 'odd'])(
  'receipts wait for none but those of their own group, which is %s, and keep their order',
  async (group) => {
    const tenant = await bench().tenant();
    const ids = await sending(tenant, 64);
    const held = present(ids.find((id) => (networkMessageIdOf(id).charCodeAt(21) % 2 === 0) === (group === 'even')));
    const writer = createOutcomeWriter(bench().database);
    const writeAll = (status: 'delivered' | 'read') => ids.map((id) => writer.reported(report(tenant, id, status)));
    const countOf = async (status: string) =>
      (await bench().query('SELECT 1 FROM messages WHERE account_id = $1 AND status = $2', [tenant.accountId, status]))
        .length;
    await whileLocked(held, async (release) => {
      const delivered = writeAll('delivered');
      await untilOneWaits();
      const read = writeAll('read');
      const isIdle = writer.idle().then(() => true);
      const others = await waitUntil(() => countOf('read'), { what: 'the other group writes', timeoutMs: 1_500 });
      expect(others).toBeLessThan(ids.length);
      expect(await Promise.race([isIdle, sleep(100, false)])).toBe(false);
      await release();
      expect(await Promise.all([...delivered, ...read])).not.toContain(false);
      expect(await isIdle).toBe(true);
    });
    const events = await Promise.all(ids.map((id) => bench().events(id)));
    expect(new Set(events.map((seen) => seen.join()))).toEqual(new Set(['delivered,read']));
  },
);

describe('a receipt behind an answer that is being stored', () => {
  test('waits for the answer of its own message and for no other', async () => {
    const tenant = await bench().tenant();
    const [held, ...others] = await sending(tenant, 32);
    const id = present(held);
    const writer = createOutcomeWriter(bench().database);
    const writeAll = (ids: readonly MessageId[]) =>
      Promise.all(
        (['delivered', 'read'] as const).flatMap((status) =>
          ids.map((one) => writer.reported(report(tenant, one, status))),
        ),
      );
    await whileLocked(id, async (release) => {
      const answered = writer.answered(tried(id), tenant.holder.epoch, { kind: 'sent' });
      await untilOneWaits();
      let isWritten = false;
      const own = writeAll([id]).then((moved) => {
        isWritten = true;
        return moved;
      });
      expect(new Set(await writeAll(others))).toEqual(new Set([true]));
      const wasWrittenWhenIdle = writer.idle().then(() => isWritten);
      await release();
      expect(await answered).toBe(true);
      expect(await wasWrittenWhenIdle).toBe(true);
      expect(await own).toEqual([true, true]);
    });
    expect(await bench().events(id)).toEqual(['sent', 'delivered', 'read']);
  });

  test('waits for one that was given after it, too, while it is not being written itself', async () => {
    const tenant = await bench().tenant();
    const id = await sendingOne(tenant);
    const writer = createOutcomeWriter(bench().database);
    const written = [
      writer.reported(report(tenant, id, 'delivered')),
      writer.answered(tried(id), tenant.holder.epoch, { kind: 'sent' }),
      writer.reported(report(tenant, id, 'read')),
    ];
    expect(await Promise.all(written)).toEqual([true, true, true]);
    expect(await bench().events(id)).toEqual(['sent', 'delivered', 'read']);
  });

  test('waits for both answers of two owners, so that receipts keep their order', async () => {
    const tenant = await bench().tenant();
    const id = await sendingOne(tenant);
    const writer = createOutcomeWriter(bench().database);
    await whileLocked(id, async (release) => {
      const refused = writer.answered(tried(id), noEpoch, refusal);
      const answered = writer.answered(tried(id), tenant.holder.epoch, { kind: 'sent' });
      const delivered = writer.reported(report(tenant, id, 'delivered'));
      await expect(refused).rejects.toThrow();
      await untilOneWaits();
      const read = writer.reported(report(tenant, id, 'read'));
      // Long enough for one that does not wait to stand before the other.
      await sleep(100);
      await release();
      expect(await Promise.all([answered, delivered, read])).toEqual([true, true, true]);
    });
    expect(await bench().events(id)).toEqual(['sent', 'delivered', 'read']);
  });

  test('is written although the answer could not be stored', async () => {
    const tenant = await bench().tenant();
    const id = await sendingOne(tenant);
    const writer = createOutcomeWriter(bench().database);
    const failing = writer.answered(tried(id), noEpoch, refusal);
    const delivered = writer.reported(report(tenant, id, 'delivered'));
    await expect(failing).rejects.toThrow();
    expect(await delivered).toBe(true);
  });
});

test('acknowledgements and receipts of the same messages, in opposite orders at once, are all written', async () => {
  const tenant = await bench().tenant();
  const ids = await sending(tenant, 150);
  const [one, two] = [createOutcomeWriter(bench().database), createOutcomeWriter(bench().database)];
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const writes: Promise<boolean>[] = [];
  for (const [i, id] of ids.entries()) {
    writes.push(one.answered(tried(id), tenant.holder.epoch, { kind: 'sent' }));
    writes.push(two.reported(report(tenant, present(ids[ids.length - 1 - i]), 'delivered')));
    if (i % 10 === 0) await turn();
  }
  await Promise.all(writes);
  const rows = await bench().query('SELECT status, count(*)::int AS n FROM messages WHERE account_id = $1 GROUP BY 1', [
    tenant.accountId,
  ]);
  expect(rows).toEqual([{ status: 'delivered', n: 150 }]);
});

test('whoever watches is told once for each batch in which something moved, and of nothing else', async () => {
  const tenant = await bench().tenant();
  const ids = await sending(tenant, 3);
  const onMoved = vi.fn<() => void>();
  const writer = createOutcomeWriter(bench().database, onMoved);
  const answerAll = () =>
    Promise.all(ids.map((id) => writer.answered(tried(id), tenant.holder.epoch, { kind: 'sent' as const })));
  expect(await answerAll()).toEqual([true, true, true]);
  expect(onMoved).toHaveBeenCalledTimes(1);
  expect(await answerAll()).toEqual([false, false, false]);
  expect(onMoved).toHaveBeenCalledTimes(1);
  for (const expected of [2, 2]) {
    await writer.reported(report(tenant, present(ids[0]), 'read'));
    expect(onMoved).toHaveBeenCalledTimes(expected);
  }
  const [back] = await sending(tenant);
  const [found] = (await readUnsettled(bench().database, tenant.deviceId)).filter(({ id }) => id === back);
  for (const expected of [3, 3]) {
    await writer.handBack(tenant.holder.epoch, [present(found)]);
    expect(onMoved).toHaveBeenCalledTimes(expected);
  }
});

test('a refused message does not stop its lane: the next one is claimed', async () => {
  const tenant = await bench().tenant();
  const [first, second] = await bench().accept(tenant, [{}, {}]);
  const claimer = createClaimer(bench().database);
  const ask = { ...tenant.holder, priority: 1, upToSeq: present(second?.seq), most: 1, except: [] };
  await claimer.submit(ask);
  await createOutcomeWriter(bench().database).answered(tried(present(first?.messageId)), tenant.holder.epoch, refusal);
  expect(await claimer.submit(ask)).toMatchObject({
    kind: 'claimed',
    messages: [{ id: second?.messageId }],
    more: false,
  });
});
