/** A batch is stored whole or not at all, even if other processes write at the same time or a connection breaks. */
import { newId } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  again,
  bulkOf,
  copies,
  messageOf,
  present,
  type Tenant,
  useDatabaseFixture,
} from '../../test/database-fixture.js';
import { fingerprintOf, messageAsked } from '../accounts/fingerprint.js';
import { type Database, openDatabase } from '../postgres/connect.js';
import { isUnavailable } from '../postgres/connections/unavailable.js';
import { acceptTogether, createAcceptor } from './accept-messages.js';
import type { AcceptOutcome } from './new-message.js';

const fixture = useDatabaseFixture();

/** The database of another api process. */
let other: Database;
beforeAll(() => {
  other = openDatabase({ url: fixture().url, poolSize: 5 });
});
afterAll(() => other.close());

const refused = (code: string) => ({ kind: 'refused', code });
const accepted = expect.objectContaining({ kind: 'accepted' });
const kinds = (outcomes: readonly AcceptOutcome[]) => outcomes.map((outcome) => outcome.kind);

test('a key that another process writes first is taken, and the rest of the batch is stored', async () => {
  const tenant = await fixture().tenant();
  const [lost, ...rest] = bulkOf(tenant, [{ clientRef: 'order-1' }, {}, {}]);
  const winner = newId('msg');
  const { fingerprintKey } = await fixture().accountKeys.fingerprinting(tenant.accountId);
  const client = await other.pool.connect();
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO request_keys (scope, value, message_id, device_id, fingerprint) VALUES ($1, 'order-1', $2, $3, $4)`,
    [tenant.accountId, winner, tenant.deviceId, fingerprintOf(fingerprintKey, messageAsked(present(lost)), 1)],
  );
  const accepting = acceptTogether(fixture().database, fixture().accountKeys, [present(lost), ...rest]);
  await waitUntil(() => fixture().waitsForLock(), { what: 'the batch waits for the key' });
  await client.query('COMMIT');
  client.release();
  expect(await accepting).toEqual([{ kind: 'repeated', messageId: winner }, accepted, accepted]);
  expect(await fixture().count('messages', tenant.accountId)).toBe(2);
  expect(await fixture().taken(tenant.accountId)).toEqual([2]);
});

/** Accepts five messages, which wait until another transaction has taken this much of the quota. */
async function acceptFiveWhile(tenant: Tenant, taken: number): Promise<AcceptOutcome[]> {
  const client = await other.pool.connect();
  await client.query('BEGIN');
  await client.query('UPDATE subscription_periods SET taken_quota = $2 WHERE account_id = $1', [
    tenant.accountId,
    taken,
  ]);
  const accepting = acceptTogether(fixture().database, fixture().accountKeys, bulkOf(tenant, copies(5)));
  await waitUntil(() => fixture().waitsForLock(), { what: 'the bulk waits for the quota' });
  await client.query('COMMIT');
  client.release();
  return accepting;
}

describe('quota', () => {
  test('of 3 is granted exactly 3 times to 10 sends at once over two processes', async () => {
    const tenant = await fixture().tenant({ quota: 3 });
    const acceptors = [
      createAcceptor(fixture().database, fixture().accountKeys),
      createAcceptor(other, fixture().accountKeys),
    ];
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, i) => present(acceptors[i % 2]).submit(messageOf(tenant))),
    );
    expect(kinds(outcomes).filter((kind) => kind === 'accepted')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome.kind === 'refused')).toEqual(Array(7).fill(refused('QUOTA_EXHAUSTED')));
    expect(await fixture().taken(tenant.accountId)).toEqual([3]);
  });

  test('that shrinks while a bulk waits for it still suffices for the bulk', async () => {
    const tenant = await fixture().tenant({ quota: 10 });
    expect(kinds(await acceptFiveWhile(tenant, 2))).toEqual(Array(5).fill('accepted'));
    expect(await fixture().taken(tenant.accountId)).toEqual([7]);
  });

  test('whose end a bulk and single sends want at once is given to both, to the last message', async () => {
    const tenant = await fixture().tenant({ quota: 700 });
    const singles = createAcceptor(other, fixture().accountKeys);
    const over = new AbortController();
    const sending = (async () => {
      let stored = 0;
      while (!over.signal.aborted && (await singles.submit(messageOf(tenant))).kind === 'accepted') stored++;
      return stored;
    })();
    const bulk = await acceptTogether(fixture().database, fixture().accountKeys, bulkOf(tenant, copies(1_000))).finally(
      () => over.abort(),
    );
    const single = await sending;
    const inBulk = kinds(bulk).filter((kind) => kind === 'accepted').length;
    expect(inBulk).toBeGreaterThan(0);
    expect(inBulk + single).toBe(700);
    expect(await fixture().taken(tenant.accountId)).toEqual([700]);
  });

  test('that another process takes while a bulk is stored is not given twice: the bulk gets the rest', async () => {
    const tenant = await fixture().tenant({ quota: 10 });
    const outcomes = await acceptFiveWhile(tenant, 8);
    expect(kinds(outcomes)).toEqual(['accepted', 'accepted', 'refused', 'refused', 'refused']);
    expect(outcomes.at(-1)).toEqual(refused('QUOTA_EXHAUSTED'));
    expect(await fixture().taken(tenant.accountId)).toEqual([10]);
    expect(await fixture().count('messages', tenant.accountId)).toBe(2);
  });
});

describe('a fault', () => {
  test('of a connection that is killed while it writes stores nothing, rejects, and leaves the retry a first request', async () => {
    const tenant = await fixture().tenant();
    const bulk = bulkOf(tenant, copies(5, { clientRef: null }));
    const blocker = await other.pool.connect();
    try {
      await blocker.query('BEGIN');
      await blocker.query('SELECT 1 FROM subscription_periods WHERE account_id = $1 FOR UPDATE', [tenant.accountId]);
      const killed = acceptTogether(fixture().database, fixture().accountKeys, bulk).then(
        () => null,
        (error: unknown) => error,
      );
      await waitUntil(
        async () => {
          const { rowCount } = await other.pool.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO messages%'`,
          );
          return rowCount;
        },
        { what: 'the batch waits for the quota' },
      );
      const error = await killed;
      expect(error).toBeInstanceOf(Error);
      expect(isUnavailable(error)).toBe(true);
    } finally {
      await blocker.query('ROLLBACK');
      blocker.release();
    }
    expect(await fixture().keysLeft(tenant)).toBe(0);
    expect(await fixture().count('messages', tenant.accountId)).toBe(0);
    const retry = await acceptTogether(
      fixture().database,
      fixture().accountKeys,
      bulk.map((message) => again(message)),
    );
    expect(kinds(retry)).toEqual(Array(5).fill('accepted'));
  });

  test('of a connection at any moment stores all of a bulk or nothing, and a retry never stores it twice', async () => {
    const tenant = await fixture().tenant();
    const victim = openDatabase({
      url: `${fixture().url}?application_name=victim`,
      poolSize: 1,
      onError: () => undefined,
    });
    let failures = 0;
    for (let round = 0; round < 24; round++) {
      const bulk = bulkOf(tenant, copies(20));
      const outcome = acceptTogether(victim, fixture().accountKeys, bulk).catch(() => null);
      for (let wait = 0; wait < round % 8; wait++) await other.pool.query('SELECT 1');
      await other.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'victim'`,
      );
      if ((await outcome) === null) failures++;
      const retry = await acceptTogether(
        fixture().database,
        fixture().accountKeys,
        bulk.map((message) => again(message)),
      );
      expect(new Set(kinds(retry)).size).toBe(1);
      expect(await fixture().count('messages', tenant.accountId)).toBe((round + 1) * 20);
    }
    await victim.close();
    expect(failures).toBeGreaterThan(0);
    expect(await fixture().taken(tenant.accountId)).toEqual([24 * 20]);
  });

  test('of one message in a batch makes only that message fail', async () => {
    const tenant = await fixture().tenant();
    const acceptor = createAcceptor(fixture().database, fixture().accountKeys);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, i) =>
        acceptor.submit(messageOf(tenant, i === 17 ? { recipient: 'poison \u0000' } : {})),
      ),
    );
    expect(outcomes.flatMap((outcome, i) => (outcome.status === 'rejected' ? [i] : []))).toEqual([17]);
    expect(await fixture().count('messages', tenant.accountId)).toBe(39);
    expect(await fixture().taken(tenant.accountId)).toEqual([39]);
    expect(await fixture().keysLeft(tenant)).toBe(39);
  });

  test('bulks that name the same references in opposite orders at once do not deadlock', async () => {
    const tenant = await fixture().tenant();
    const refs = Array.from({ length: 30 }, (_, i) => ({ clientRef: `ref-${i}` }));
    const bulks = Array.from({ length: 8 }, (_, i) => bulkOf(tenant, i % 2 === 0 ? refs : refs.toReversed()));
    const outcomes = await Promise.all(
      bulks.map((bulk, i) => acceptTogether(i % 3 === 0 ? other : fixture().database, fixture().accountKeys, bulk)),
    );
    expect(outcomes.flat().filter((outcome) => outcome.kind === 'refused')).toEqual([]);
    expect(await fixture().count('messages', tenant.accountId)).toBe(30);
    expect(await fixture().taken(tenant.accountId)).toEqual([30]);
  });
});
