import { type MessageStatus, messageMoves, messageStatuses } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import { copies, present, useDatabaseFixture } from '../../test/database-fixture.js';
import { messageIn } from '../../test/message-in.js';
import { cancelMessage } from './cancel-messages.js';
import { expireMessages, wakeMessages } from './sweep-messages.js';
import { type Move, moveColumns, moveMessages } from './write-status.js';

const fixture = useDatabaseFixture();

const move = (...moves: Move[]) => moveMessages(fixture().database.pool, moves);

test('the columns of a move are in one order, however the move is written', () => {
  expect(moveColumns({ holdMs: '5', to: `'queued'`, attempt: 'm.attempts', id: 'm.id' })).toBe(
    `m.id, 'queued', NULL::text, NULL::bigint, m.attempts, 5`,
  );
});

describe('a move', () => {
  test('happens for a real row exactly where the contract allows it, for all pairs', async () => {
    const tenant = await fixture().tenant();
    const pairs = messageStatuses.flatMap((from) => messageStatuses.map((to) => ({ from, to })));
    const asked = await Promise.all(
      pairs.map(async (pair) => ({ ...pair, id: await messageIn(fixture(), tenant, pair.from) })),
    );
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
    const id = await messageIn(fixture(), tenant, 'sending');
    await move({ id, to: 'sent' }, { id, to: 'queued', ownerEpoch: 1n }, { id, to: 'read' }, { id, to: 'delivered' });
    expect(await fixture().events(id)).toEqual(['sent', 'delivered', 'read']);
    expect(await fixture().state(id)).toMatchObject({ status: 'read', reason: null });
  });

  test('of one message follows the given order and is returned each time', async () => {
    const tenant = await fixture().tenant();
    const [a, b] = [await messageIn(fixture(), tenant, 'sending'), await messageIn(fixture(), tenant, 'sending')];
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
    const id = await messageIn(fixture(), tenant, from);
    expect(await move({ id, to })).toMatchObject([{ id, status: to }]);
    await move({ id, to });
    expect(await fixture().events(id)).toEqual(steps);
    expect(await fixture().taken(tenant.accountId)).toEqual([1]);
  });

  test('of many messages records the steps of each of them', async () => {
    const tenant = await fixture().tenant();
    const ids = await Promise.all(
      (['sending', 'sent', 'unknown'] as const).map((from) => messageIn(fixture(), tenant, from)),
    );
    await move(...ids.map((id): Move => ({ id, to: 'read' })));
    expect(await Promise.all(ids.map((id) => fixture().events(id)))).toEqual([
      ['sent', 'delivered', 'read'],
      ['delivered', 'read'],
      ['sent', 'delivered', 'read'],
    ]);
  });

  test('of a given try happens only while that try is the last one', async () => {
    const tenant = await fixture().tenant();
    const id = await messageIn(fixture(), tenant, 'sending', { attempts: 2, unanswered: 1 });
    const refused = { id, to: 'queued', reason: 'rejected_by_network', ownerEpoch: 1n, holdMs: 0 } as const;
    expect(await move({ ...refused, attempt: 1 }, { ...refused, attempt: 3 })).toEqual([]);
    expect(await move({ ...refused, attempt: 2 })).toMatchObject([{ id, status: 'queued' }]);
    expect(await fixture().state(id)).toMatchObject({ attempts: 2, unanswered: 1 });
  });

  test('that waits for another move of the same message starts from the result of that move', async () => {
    const tenant = await fixture().tenant();
    const id = await messageIn(fixture(), tenant, 'sending');
    const { pool } = fixture().database;
    const acknowledging = await pool.connect();
    await acknowledging.query('BEGIN');
    await moveMessages(acknowledging, [{ id, to: 'sent' }]);
    const receipt = move({ id, to: 'delivered' });
    await waitUntil(() => fixture().waitsForLock(), { what: 'the receipt waits for the acknowledgement' });
    await acknowledging.query('COMMIT');
    acknowledging.release();
    expect(await receipt).toMatchObject([{ id, status: 'delivered', steps: ['delivered'] }]);
    expect(await fixture().events(id)).toEqual(['sent', 'delivered']);
  });

  test.each<MessageStatus>(['sent', 'delivered', 'read', 'unknown', 'sending'])(
    'to %s never happens to a message that was never tried',
    async (to) => {
      const tenant = await fixture().tenant();
      const id = await messageIn(fixture(), tenant, 'queued', { attempts: 0 });
      expect(await move({ id, to })).toEqual([]);
      expect(await fixture().state(id)).toMatchObject({ status: 'queued' });
    },
  );

  test('of a message that does not exist changes nothing', async () => {
    expect(await move({ id: 'msg_nobody', to: 'sent' })).toEqual([]);
  });
});

describe('an uncertain outcome is never called failed or expired', () => {
  test('a permanent refusal of an earlier owner changes nothing', async () => {
    const tenant = await fixture().tenant();
    const id = await messageIn(fixture(), tenant, 'sending');
    await fixture().query('UPDATE messages SET epoch = 2 WHERE id = $1', [id]);
    expect(await move({ id, to: 'failed', reason: 'rejected_by_network', ownerEpoch: 1n })).toEqual([]);
    expect(await move({ id, to: 'queued', ownerEpoch: 1n, holdMs: 10 })).toEqual([]);
    expect(await fixture().state(id)).toMatchObject({ status: 'sending' });
  });

  test.each<MessageStatus>(['failed', 'queued', 'expired', 'cancelled'])(
    'a message in sending does not become %s without its owner',
    async (to) => {
      const tenant = await fixture().tenant();
      const id = await messageIn(fixture(), tenant, 'sending');
      expect(await move({ id, to })).toEqual([]);
    },
  );

  test('a permanent refusal after a try without an answer makes it unknown', async () => {
    const tenant = await fixture().tenant();
    const id = await messageIn(fixture(), tenant, 'sending', { unanswered: 1, attempts: 2 });
    await move({ id, to: 'failed', reason: 'rejected_by_network', ownerEpoch: 1n });
    expect(await fixture().state(id)).toMatchObject({ status: 'unknown', reason: 'rejected_by_network' });
    expect(await fixture().events(id)).toEqual(['unknown']);
    expect(await fixture().taken(tenant.accountId)).toEqual([1]);
  });

  test('an expiry after a try without an answer makes it unknown, with a reason', async () => {
    const tenant = await fixture().tenant();
    const [tried, untried] = [
      await messageIn(fixture(), tenant, 'queued', { unanswered: 1 }),
      await messageIn(fixture(), tenant, 'queued', { attempts: 0 }),
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
    const id = await messageIn(fixture(), tenant, 'queued', { unanswered: 1 });
    expect(await cancelMessage(fixture().database, tenant.accountId, id)).toBe('not-cancellable');
    expect(await fixture().state(id)).toMatchObject({ status: 'queued' });
  });

  test.each<MessageStatus>(['sent', 'delivered', 'read'])(
    'unknown can still become %s, and never goes back',
    async (to) => {
      const tenant = await fixture().tenant();
      const id = await messageIn(fixture(), tenant, 'unknown');
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
