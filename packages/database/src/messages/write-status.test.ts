import { type MessageId, type MessageStatus, messageMoves, messageStatuses } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import { copies, present, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { cancelMessage } from './cancel-messages.js';
import { expireMessages, wakeMessages } from './sweep-messages.js';
import { type Move, moveColumns, moveMessages } from './write-status.js';

const fixture = useDatabaseFixture();

const move = (...moves: Move[]) => moveMessages(fixture().database.pool, moves);

/** A message of the tenant in any state, in its own lane. */
async function messageIn(
  tenant: Tenant,
  status: MessageStatus,
  { unanswered = 0, attempts = 1 }: { unanswered?: number; attempts?: number } = {},
): Promise<MessageId> {
  const { deviceId } = await fixture().device(tenant.accountId);
  const [message] = await fixture().accept({ ...tenant, deviceId });
  if (message === undefined) throw new Error('nothing was accepted');
  await fixture().query('UPDATE messages SET status = $2, attempts = $3, unanswered = $4, epoch = 1 WHERE id = $1', [
    message.messageId,
    status,
    attempts,
    unanswered,
  ]);
  return message.messageId;
}

test('the columns of a move are in one order, however the move is written', () => {
  expect(moveColumns({ holdMs: '5', to: `'queued'`, attempt: 'm.attempts', id: 'm.id' })).toBe(
    `m.id, 'queued', NULL::text, NULL::bigint, m.attempts, 5`,
  );
});

describe('a move', () => {
  test('happens for a real row exactly where the contract allows it, for all pairs', async () => {
    const tenant = await fixture().tenant();
    const pairs = messageStatuses.flatMap((from) => messageStatuses.map((to) => ({ from, to })));
    const asked = await Promise.all(pairs.map(async (pair) => ({ ...pair, id: await messageIn(tenant, pair.from) })));
    // A message in sending needs the word of its owner; the others do not.
    await move(...asked.map(({ id, from, to }) => ({ id, to, ...(from === 'sending' ? { ownerEpoch: 1n } : {}) })));
    const found = await Promise.all(
      asked.map(async ({ id, from, to }) => ({
        from,
        to,
        moved: (await fixture().state(id)).status === to && from !== to,
      })),
    );
    expect(found).toEqual(pairs.map(({ from, to }) => ({ from, to, moved: messageMoves[from].includes(to) })));
  });

  test('writes an event only if the message moved', async () => {
    const tenant = await fixture().tenant();
    const id = await messageIn(tenant, 'sending');
    await move({ id, to: 'sent' }, { id, to: 'queued', ownerEpoch: 1n }, { id, to: 'read' }, { id, to: 'delivered' });
    expect(await fixture().events(id)).toEqual(['sent', 'delivered', 'read']);
    expect(await fixture().state(id)).toMatchObject({ status: 'read', reason: null });
  });

  test('of one message follows the given order and is returned each time', async () => {
    const tenant = await fixture().tenant();
    const [a, b] = [await messageIn(tenant, 'sending'), await messageIn(tenant, 'sending')];
    const moved = await move(
      { id: a, to: 'sent' },
      { id: b, to: 'read' },
      { id: a, to: 'delivered' },
      { id: b, to: 'sent' },
    );
    expect(moved.map(({ id, status }) => `${id === a ? 'a' : 'b'} ${status}`).sort()).toEqual([
      'a delivered',
      'a sent',
      'b read',
    ]);
  });

  test.each<[MessageStatus, MessageStatus, MessageStatus[]]>([
    ['queued', 'delivered', ['sent', 'delivered']],
    ['sending', 'read', ['sent', 'delivered', 'read']],
    ['unknown', 'delivered', ['sent', 'delivered']],
    ['sent', 'read', ['delivered', 'read']],
    ['delivered', 'read', ['read']],
    ['sending', 'sent', ['sent']],
    ['sending', 'unknown', ['unknown']],
  ])('from %s to %s records each implied step once', async (from, to, steps) => {
    const tenant = await fixture().tenant();
    const id = await messageIn(tenant, from);
    expect(await move({ id, to })).toMatchObject([{ id, status: to }]);
    await move({ id, to });
    expect(await fixture().events(id)).toEqual(steps);
    expect(await fixture().taken(tenant.accountId)).toEqual([1]);
  });

  test('of many messages records the steps of each of them', async () => {
    const tenant = await fixture().tenant();
    const ids = await Promise.all((['sending', 'sent', 'unknown'] as const).map((from) => messageIn(tenant, from)));
    await move(...ids.map((id): Move => ({ id, to: 'read' })));
    expect(await Promise.all(ids.map((id) => fixture().events(id)))).toEqual([
      ['sent', 'delivered', 'read'],
      ['delivered', 'read'],
      ['sent', 'delivered', 'read'],
    ]);
  });

  test('of a given try happens only while that try is the last one', async () => {
    const tenant = await fixture().tenant();
    const id = await messageIn(tenant, 'sending', { attempts: 2, unanswered: 1 });
    const refused = { id, to: 'queued', reason: 'rejected_by_network', ownerEpoch: 1n, holdMs: 0 } as const;
    expect(await move({ ...refused, attempt: 1 }, { ...refused, attempt: 3 })).toEqual([]);
    expect(await move({ ...refused, attempt: 2 })).toMatchObject([{ id, status: 'queued' }]);
    expect(await fixture().state(id)).toMatchObject({ attempts: 2, unanswered: 1 });
  });

  test('that waits for another move of the same message starts from the result of that move', async () => {
    const tenant = await fixture().tenant();
    const id = await messageIn(tenant, 'sending');
    const { pool } = fixture().database;
    const acknowledging = await pool.connect();
    await acknowledging.query('BEGIN');
    await moveMessages(acknowledging, [{ id, to: 'sent' }]);
    const receipt = move({ id, to: 'delivered' });
    await waitUntil(() => fixture().waitsForLock(), { what: 'the receipt waits for the acknowledgement' });
    await acknowledging.query('COMMIT');
    acknowledging.release();
    expect(await receipt).toEqual([{ id, status: 'delivered', networkMessageId: expect.any(String) }]);
    expect(await fixture().events(id)).toEqual(['sent', 'delivered']);
  });

  test.each<MessageStatus>(['sent', 'delivered', 'read', 'unknown', 'sending'])(
    'to %s never happens to a message that was never tried',
    async (to) => {
      const tenant = await fixture().tenant();
      const id = await messageIn(tenant, 'queued', { attempts: 0 });
      expect(await move({ id, to })).toEqual([]);
      expect(await fixture().state(id)).toMatchObject({ status: 'queued' });
    },
  );

  test('of a message that does not exist changes nothing', async () => {
    expect(await move({ id: 'msg_nobody', to: 'sent' })).toEqual([]);
  });
});

describe('quota', () => {
  test.each<MessageStatus>(['failed', 'expired', 'cancelled'])(
    'is refunded once when a message ends as %s',
    async (to) => {
      const tenant = await fixture().tenant();
      const id = await messageIn(tenant, 'queued');
      expect(await fixture().taken(tenant.accountId)).toEqual([1]);
      await move({ id, to }, { id, to });
      await Promise.all([move({ id, to: 'failed' }), move({ id, to: 'cancelled' }), move({ id, to })]);
      expect(await fixture().taken(tenant.accountId)).toEqual([0]);
    },
  );

  test('is refunded once when several statements end the message at the same time', async () => {
    const tenant = await fixture().tenant();
    const id = await messageIn(tenant, 'queued', { attempts: 0 });
    await fixture().query(`UPDATE messages SET expires_at = now() - make_interval(secs => 1) WHERE id = $1`, [id]);
    const { database } = fixture();
    await Promise.all([
      ...Array.from({ length: 5 }, () => cancelMessage(database, tenant.accountId, id)),
      expireMessages(database),
      move({ id, to: 'failed' }),
      expireMessages(database),
    ]);
    expect(await fixture().taken(tenant.accountId)).toEqual([0]);
    expect(await fixture().events(id)).toHaveLength(1);
  });

  test('is refunded to its period, even if that has ended', async () => {
    const tenant = await fixture().tenant({ quota: 10 });
    await fixture().openPeriod(tenant.accountId, { quota: 1, endsInHours: 1 });
    const [first, second] = await fixture().accept(tenant, [{}, {}]);
    expect(await fixture().taken(tenant.accountId)).toEqual([1, 1]);
    await fixture().query(
      `UPDATE subscription_periods SET ends_at = now() - interval '1 day' WHERE account_id = $1 AND initial_quota = 1`,
      [tenant.accountId],
    );
    await move({ id: present(first?.messageId), to: 'cancelled' });
    expect(await fixture().taken(tenant.accountId)).toEqual([0, 1]);
    await move({ id: present(second?.messageId), to: 'cancelled' });
    expect(await fixture().taken(tenant.accountId)).toEqual([0, 0]);
  });

  test('of many messages of several accounts is refunded in one statement, each to its own', async () => {
    const tenants = await Promise.all([3, 5].map(() => fixture().tenant()));
    const moves: Move[] = [];
    for (const [i, tenant] of tenants.entries())
      for (const { messageId } of await fixture().accept(tenant, copies(4)))
        if (moves.length < 4 + i * 3) moves.push({ id: messageId, to: 'cancelled' });
    await move(...moves);
    expect(await Promise.all(tenants.map(({ accountId }) => fixture().taken(accountId)))).toEqual([[0], [1]]);
  });

  test('is not refunded for messages that may have gone out', async () => {
    const tenant = await fixture().tenant();
    const ids = await Promise.all(
      (['sent', 'delivered', 'read', 'unknown'] as const).map(async (to) => ({
        id: await messageIn(tenant, 'sending'),
        to,
        ownerEpoch: 1n,
      })),
    );
    await move(...ids);
    expect(await fixture().taken(tenant.accountId)).toEqual([4]);
  });

  test('of an unlimited plan is neither taken nor refunded', async () => {
    const tenant = await fixture().tenant({ quota: null });
    const id = await messageIn(tenant, 'queued');
    expect(await move({ id, to: 'failed' })).toHaveLength(1);
    expect(await fixture().taken(tenant.accountId)).toEqual([0]);
  });
});

describe('an uncertain outcome is never called failed or expired', () => {
  test('a permanent refusal of an earlier owner changes nothing', async () => {
    const tenant = await fixture().tenant();
    const id = await messageIn(tenant, 'sending');
    await fixture().query('UPDATE messages SET epoch = 2 WHERE id = $1', [id]);
    expect(await move({ id, to: 'failed', reason: 'rejected_by_network', ownerEpoch: 1n })).toEqual([]);
    expect(await move({ id, to: 'queued', ownerEpoch: 1n, holdMs: 10 })).toEqual([]);
    expect(await fixture().state(id)).toMatchObject({ status: 'sending' });
  });

  test.each<MessageStatus>(['failed', 'queued', 'expired', 'cancelled'])(
    'a message in sending does not become %s without its owner',
    async (to) => {
      const tenant = await fixture().tenant();
      const id = await messageIn(tenant, 'sending');
      expect(await move({ id, to })).toEqual([]);
    },
  );

  test('a permanent refusal after a try without an answer makes it unknown', async () => {
    const tenant = await fixture().tenant();
    const id = await messageIn(tenant, 'sending', { unanswered: 1, attempts: 2 });
    await move({ id, to: 'failed', reason: 'rejected_by_network', ownerEpoch: 1n });
    expect(await fixture().state(id)).toMatchObject({ status: 'unknown', reason: 'rejected_by_network' });
    expect(await fixture().events(id)).toEqual(['unknown']);
    expect(await fixture().taken(tenant.accountId)).toEqual([1]);
  });

  test('an expiry after a try without an answer makes it unknown, with a reason', async () => {
    const tenant = await fixture().tenant();
    const [tried, untried] = [
      await messageIn(tenant, 'queued', { unanswered: 1 }),
      await messageIn(tenant, 'queued', { attempts: 0 }),
    ];
    await fixture().query('UPDATE messages SET expires_at = now() - make_interval(secs => 1) WHERE id IN ($1, $2)', [
      tried,
      untried,
    ]);
    await expireMessages(fixture().database);
    expect(await fixture().state(tried)).toMatchObject({ status: 'unknown', reason: 'no_answer' });
    expect(await fixture().state(untried)).toMatchObject({ status: 'expired', reason: null });
    expect(await fixture().taken(tenant.accountId)).toEqual([1]);
  });

  test('a message with a try without an answer cannot be cancelled', async () => {
    const tenant = await fixture().tenant();
    const id = await messageIn(tenant, 'queued', { unanswered: 1 });
    expect(await cancelMessage(fixture().database, tenant.accountId, id)).toBe('not-cancellable');
    expect(await fixture().state(id)).toMatchObject({ status: 'queued' });
  });

  test.each<MessageStatus>(['sent', 'delivered', 'read'])(
    'unknown can still become %s, and never goes back',
    async (to) => {
      const tenant = await fixture().tenant();
      const id = await messageIn(tenant, 'unknown');
      await move({ id, to }, { id, to: 'unknown' }, { id, to: 'failed' }, { id, to: 'queued' });
      expect(await fixture().state(id)).toMatchObject({ status: to });
    },
  );
});

describe('a refused message', () => {
  test('waits with its reason, and a claim clears both', async () => {
    const tenant = await fixture().tenant();
    const [message] = await fixture().accept(tenant);
    const id = present(message?.messageId);
    const claim = () => fixture().claim(tenant.holder);
    expect(await claim()).toMatchObject({ kind: 'claimed' });
    await move({ id, to: 'queued', reason: 'rate_limited_by_network', ownerEpoch: 1n, holdMs: 3_600_000 });
    expect(await fixture().state(id)).toMatchObject({
      status: 'queued',
      reason: 'rate_limited_by_network',
      held: true,
    });
    expect(await claim()).toEqual({ kind: 'nothing' });
    await fixture().query(
      `UPDATE messages SET held_until = now() - interval '1 second', waits_until = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    await wakeMessages(fixture().database);
    expect(await claim()).toMatchObject({ kind: 'claimed', message: { attempts: 2 } });
    expect(await fixture().state(id)).toMatchObject({ status: 'sending', reason: null, held: false });
    expect(await fixture().events(id)).toEqual(['sending', 'queued', 'sending']);
  });
});

test('two statements that move the same messages in opposite orders wait for each other and both end', async () => {
  const tenant = await fixture().tenant();
  const accepted = await fixture().accept(tenant, copies(3));
  const ids = accepted.map((message) => message.messageId).toSorted();
  const { pool } = fixture().database;
  const first = await pool.connect();
  await first.query('BEGIN');
  await first.query('SELECT 1 FROM messages WHERE id = $1 FOR UPDATE', [ids[0]]);
  const second = move(...ids.toReversed().map((id): Move => ({ id, to: 'cancelled' })));
  await waitUntil(() => fixture().waitsForLock(), { what: 'the second statement waits for the first message' });
  // It has locked none of the others yet.
  expect((await first.query(`SELECT 1 FROM messages WHERE id = ANY ($1) FOR UPDATE NOWAIT`, [ids])).rowCount).toBe(3);
  await first.query('ROLLBACK');
  first.release();
  expect((await second).map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  expect(await fixture().taken(tenant.accountId)).toEqual([0]);
});
