/** Statements that change many messages, on two connections and in opposite orders: no deadlock ends one of them. */
import type { MessageId } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copies, present, type Standing, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { blocked, inAnHour } from '../../test/new-contacts-fixture.js';
import { type Database, openDatabase } from '../postgres/connect.js';
import { writeAccountLimits } from '../sessions/device-session.js';
import { createOutcomeWriter } from './report-outcome.js';
import { expireMessages, failMessagesOfUnlinked, wakeMessages } from './sweep-messages.js';
import { moveMessages } from './write-status.js';

const fixture = useDatabaseFixture();

/** The database of another worker process. */
let other: Database;
beforeAll(() => {
  other = openDatabase({ url: fixture().url, poolSize: 3 });
});
afterAll(() => other.close());

const rounds = 12;
const block = 120;

const cancel = (database: Database, ids: readonly MessageId[]) =>
  moveMessages(
    database.pool,
    ids.map((id) => ({ id, to: 'cancelled' })),
  );

/** The number of deadlocks that Postgres ended in this database, with those after which a statement ran again. */
async function deadlocks(): Promise<bigint> {
  await fixture().query('SELECT pg_stat_clear_snapshot()');
  const [row] = await fixture().query<{ n: bigint }>(
    'SELECT deadlocks AS n FROM pg_stat_database WHERE datname = current_database()',
  );
  return present(row).n;
}

async function acceptMany(tenant: Tenant): Promise<MessageId[]> {
  return (await fixture().accept(tenant, copies(block))).map(({ messageId }) => messageId);
}

test('two cancellations of the same messages in opposite orders do not deadlock', async () => {
  const tenant = await fixture().tenant({ quota: null });
  for (let round = 0; round < rounds; round++) {
    const ids = await acceptMany(tenant);
    const moved = await Promise.all([cancel(fixture().database, ids), cancel(other, ids.toReversed())]);
    expect(moved.flat()).toHaveLength(block);
  }
  expect(await deadlocks()).toBe(0n);
});

test('outcomes and receipts of the same messages in opposite orders do not deadlock', async () => {
  const tenant = await fixture().tenant({ quota: null });
  const writers = [createOutcomeWriter(fixture().database), createOutcomeWriter(other)] as const;
  const report = ({ holder, networkMessageId }: Standing) =>
    writers[1].reported({ deviceId: holder.deviceId, networkMessageId, status: 'read' });
  for (let round = 0; round < 4; round++) {
    const all = await fixture().sending(tenant, block);
    await Promise.all<unknown>([
      ...all.map((tried) => writers[0].answered(tried, tried.holder.epoch, { kind: 'sent' })),
      ...all.toReversed().map(report),
    ]);
    const lives = await Promise.all(all.map(({ id }) => fixture().events(id)));
    expect(new Set(lives.map((life) => life.join()))).toEqual(new Set(['sent,delivered,read']));
  }
  expect(await deadlocks()).toBe(0n);
});

test('sweeps that end messages and customers who cancel them do not deadlock', async () => {
  const tenant = await fixture().tenant({ quota: 100_000 });
  for (let round = 0; round < rounds; round++) {
    const ids = await acceptMany(tenant);
    // The later messages expired first.
    await fixture().query(
      `UPDATE messages SET expires_at = now() - interval '1 s' - (seq % 1000) * interval '1 s' WHERE id = ANY ($1)`,
      [ids],
    );
    await fixture().query('UPDATE devices SET linked = false WHERE id = $1', [tenant.deviceId]);
    const ended = await Promise.all([
      expireMessages(other),
      cancel(fixture().database, ids.toReversed()),
      failMessagesOfUnlinked(other, tenant.deviceId),
    ]);
    expect(ended.map((n) => (typeof n === 'number' ? n : n.length)).reduce((sum, n) => sum + n)).toBe(block);
    await fixture().query('UPDATE devices SET linked = true WHERE id = $1', [tenant.deviceId]);
  }
  expect(await fixture().taken(tenant.accountId)).toEqual([0]);
});

/** Messages held by a block, in the order of their ids. The later ones are due first and have the lower recipients. */
async function heldMessages(tenant: Tenant): Promise<MessageId[]> {
  const ids = (await acceptMany(tenant)).toSorted();
  await fixture().query(
    `UPDATE messages SET reason = 'new_contacts_restricted', held_until = t.at, waits_until = t.at, recipient = (628000000 - t.n)::text
     FROM (SELECT id, n, now() - interval '1 s' - n * interval '1 ms' AS at FROM unnest($1::text[]) WITH ORDINALITY AS t (id, n)) t
     WHERE messages.id = t.id`,
    [ids],
  );
  return ids;
}

const letIn: [string, (database: Database, tenant: Tenant) => Promise<unknown>][] = [
  ['the sweep', (database) => wakeMessages(database)],
  [
    'a lifted block',
    (database, { holder }) => writeAccountLimits(database, holder, { newContacts: 'allowed', newChatQuota: null }),
  ],
];

async function blockedTenant(): Promise<Tenant> {
  const tenant = await fixture().tenant({ quota: null });
  await writeAccountLimits(fixture().database, tenant.holder, blocked(inAnHour()));
  return tenant;
}

test.each(letIn)('cancellations and %s, on the same held messages, do not deadlock', async (_who, letThemIn) => {
  const before = await deadlocks();
  const tenant = await blockedTenant();
  for (let round = 0; round < rounds; round++) {
    await writeAccountLimits(fixture().database, tenant.holder, blocked(inAnHour()));
    const ids = await heldMessages(tenant);
    const [, moved] = await Promise.all([letThemIn(other, tenant), cancel(fixture().database, ids)]);
    expect(moved).toHaveLength(block);
  }
  expect(await deadlocks()).toBe(before);
});

// The rounds above may miss this case: a statement that waits for the first message holds none of the others yet.
test.each(letIn)('%s locks the messages that it lets in in the order of their ids', async (_who, letThemIn) => {
  const tenant = await blockedTenant();
  const ids = await heldMessages(tenant);
  const client = await fixture().database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM messages WHERE id = $1 FOR UPDATE', [ids[0]]);
    const running = letThemIn(other, tenant);
    await waitUntil(() => fixture().waitsForLock(), { what: 'it waits for the first message' });
    const free = await fixture().query('SELECT 1 FROM messages WHERE id = ANY ($1) FOR UPDATE SKIP LOCKED', [ids]);
    await client.query('COMMIT');
    await running;
    expect(free).toHaveLength(block - 1);
  } finally {
    client.release(true);
  }
});
