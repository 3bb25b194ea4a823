import { type MessageId, newId } from '@kurir/contracts';
import { expect, test } from 'vitest';
import { type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { moveMessages } from '../messages/write-status.js';
import { forgetMessages } from './forget-messages.js';

const fixture = useDatabaseFixture();
const { signal } = new AbortController();
const keptDays = 30;

const forget = (until = signal) => forgetMessages(fixture().database, keptDays, until);

async function accept(tenant: Tenant, ...texts: string[]): Promise<MessageId[]> {
  const accepted = await fixture().accept(
    tenant,
    texts.map((text) => ({ text })),
  );
  return accepted.map((message) => message.messageId);
}

/** Moves the acceptance of a message and all its events this many days into the past. */
async function age(id: MessageId | undefined, days: number): Promise<MessageId> {
  const aged = newId('msg', Date.now() - days * 86_400_000);
  await fixture().query('UPDATE messages SET id = $2 WHERE id = $1', [id, aged]);
  await fixture().query(
    'UPDATE events SET subject_id = $2, at = at - make_interval(days => $3) WHERE subject_id = $1',
    [id, aged, days],
  );
  return aged;
}

const cancel = (ids: readonly MessageId[]) =>
  moveMessages(
    fixture().database.pool,
    ids.map((id) => ({ id, to: 'cancelled' as const })),
  );

async function stored(tenant: Tenant): Promise<string[]> {
  const rows = await fixture().query<{ id: string }>('SELECT id FROM messages WHERE account_id = $1 ORDER BY id', [
    tenant.accountId,
  ]);
  return rows.map((row) => row.id);
}

/** Makes `count` messages that ended 31 days ago. With `half stays`, every second one ended only a day ago. */
async function manyOver(tenant: Tenant, count: number, half: 'half stays' | 'all go'): Promise<void> {
  const from = Date.now() - 31 * 86_400_000;
  const ids = Array.from({ length: count }, (_, i) => newId('msg', from + i));
  await fixture().query(
    `WITH made AS (
       INSERT INTO messages (id, account_id, device_id, key_id, request_id, priority, recipient, body, network_message_id,
                             status, attempts, created_at, event_count)
       SELECT id, $2, $3, 'key', 'req', 2, '6281100000000', 'x', id, 'read', 1, now() - interval '31 days', 1
       FROM unnest($1::text[]) id RETURNING id)
     INSERT INTO message_events_before_log (message_id, status, at)
     SELECT id, 'read', now() - CASE WHEN $4 AND n % 2 = 0 THEN interval '1 day' ELSE interval '31 days' END
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM made) t`,
    [ids, tenant.accountId, tenant.deviceId, half === 'half stays'],
  );
}

test('ended messages are deleted with their timelines when they are old, and others stay', async () => {
  const tenant = await fixture().tenant();
  const ids = await accept(tenant, 'over', 'kept', 'waiting', 'sending');
  const [over, kept, waiting, sending] = ids;
  await cancel(ids.slice(0, 2));
  await fixture().query(`UPDATE messages SET status = 'sending', attempts = 1, epoch = 1 WHERE id = $1`, [sending]);
  await age(over, 31);
  const left = [await age(kept, 29), await age(waiting, 31), await age(sending, 31)];
  expect(await forget()).toBe(1);
  expect(await forget()).toBe(0);
  expect(await stored(tenant)).toEqual(left.toSorted());
});

test('a message that waited for long is kept as long after its end as any other', async () => {
  const tenant = await fixture().tenant();
  const [id] = await accept(tenant, 'waits');
  const accepted = newId('msg', Date.now() - 31 * 86_400_000);
  await fixture().query('UPDATE messages SET id = $2 WHERE id = $1', [id, accepted]);
  await cancel([accepted]);
  expect(await forget()).toBe(0);
  await fixture().query(`UPDATE events SET at = at - interval '30 days' WHERE subject_id = $1`, [accepted]);
  expect(await forget()).toBe(1);
});

test('one pass deletes all old messages, also after messages that must stay', async () => {
  const tenant = await fixture().tenant();
  await manyOver(tenant, 2_600, 'half stays');
  expect(await forget()).toBe(1_300);
  expect(await stored(tenant)).toHaveLength(1_300);
  const oldTimelines = `SELECT 1 FROM message_events_before_log e JOIN messages m ON m.id = e.message_id WHERE m.account_id = $1`;
  expect(await fixture().query(oldTimelines, [tenant.accountId])).toHaveLength(1_300);
  expect(await forget()).toBe(0);
  await fixture().query('DELETE FROM messages WHERE account_id = $1', [tenant.accountId]);
});

test('several workers at once delete each message once', async () => {
  const tenant = await fixture().tenant();
  await manyOver(tenant, 1_300, 'all go');
  const counts = await Promise.all([forget(), forget(), forget()]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1_300);
});

test('a pass that is aborted begins no other batch, and the next pass goes on', async () => {
  const tenant = await fixture().tenant();
  await manyOver(tenant, 1_300, 'all go');
  const over = new AbortController();
  const first = forget(over.signal);
  over.abort();
  const deleted = await first;
  expect(deleted).toBeLessThan(1_300);
  expect(await forget()).toBe(1_300 - deleted);
});
