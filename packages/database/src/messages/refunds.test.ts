/** The quota of a message is refunded once if it certainly did not go out. */
import type { MessageStatus } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { copies, present, useDatabaseFixture } from '../../test/database-fixture.js';
import { messageIn } from '../../test/message-in.js';
import { cancelMessage } from './cancel-messages.js';
import { expireMessages } from './sweep-messages.js';
import { type Move, moveMessages } from './write-status.js';

const fixture = useDatabaseFixture();

const move = (...moves: Move[]) => moveMessages(fixture().database.pool, moves);

describe('quota', () => {
  test.each<MessageStatus>(['failed', 'expired', 'cancelled'])(
    'is refunded once when a message ends as %s',
    async (to) => {
      const tenant = await fixture().tenant();
      const id = await messageIn(fixture(), tenant, 'queued');
      expect(await fixture().taken(tenant.accountId)).toEqual([1]);
      await move({ id, to }, { id, to });
      await Promise.all([move({ id, to: 'failed' }), move({ id, to: 'cancelled' }), move({ id, to })]);
      expect(await fixture().taken(tenant.accountId)).toEqual([0]);
    },
  );

  test('is refunded once when several statements end the message at the same time', async () => {
    const tenant = await fixture().tenant();
    const id = await messageIn(fixture(), tenant, 'queued', { attempts: 0 });
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
        id: await messageIn(fixture(), tenant, 'sending'),
        to,
        ownerEpoch: 1n,
      })),
    );
    await move(...ids);
    expect(await fixture().taken(tenant.accountId)).toEqual([4]);
  });

  test('of an unlimited plan is neither taken nor refunded', async () => {
    const tenant = await fixture().tenant({ quota: null });
    const id = await messageIn(fixture(), tenant, 'queued');
    expect(await move({ id, to: 'failed' })).toHaveLength(1);
    expect(await fixture().taken(tenant.accountId)).toEqual([0]);
  });
});
