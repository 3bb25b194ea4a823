/** Repeats of requests: the same request key or `client_ref` never stores a second message. */
import { randomBytes } from 'node:crypto';
import type { MessageId } from '@kurir/contracts';
import type { QueryConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptancesOn, accepted, kinds, refused, repeated } from '../../test/acceptance-fixture.js';
import {
  again,
  bulkOf,
  messageOf,
  present,
  type Tenant,
  type TestInput,
  useDatabaseFixture,
} from '../../test/database-fixture.js';
import { type Database, openDatabase } from '../postgres/connect.js';
import { acceptTogether, createAcceptor } from './accept-messages.js';
import type { AcceptOutcome } from './new-message.js';
import { moveMessages } from './write-status.js';

const fixture = useDatabaseFixture();

/** The database of another api process. */
let other: Database;
beforeAll(() => {
  other = openDatabase({ url: fixture().url, poolSize: 5 });
});
afterAll(() => other.close());

const { accept, endPlan, endQuota, setDevice } = acceptancesOn(fixture);

/** A database whose statements run one after the other. It runs `meanwhile` before the statement with this name. */
function interruptedBefore(name: string, meanwhile: () => Promise<unknown>): Database {
  const connect = async () => {
    const client = await fixture().database.pool.connect();
    let tail: Promise<unknown> = Promise.resolve();
    const query = (statement: QueryConfig) => {
      tail = tail.then(async () => {
        if (statement.name === name) await meanwhile();
        return client.query(statement);
      });
      return tail;
    };
    return { query, release: client.release.bind(client) };
  };
  // Accepting uses nothing else of a pool.
  return { ...fixture().database, pool: { connect } as unknown as Database['pool'] };
}

describe('a repeat', () => {
  test('stores one message for 50 identical requests at once over two processes, and returns it to all', async () => {
    const tenant = await fixture().tenant();
    const message = messageOf(tenant);
    const acceptors = [
      createAcceptor(fixture().database, fixture().accountKeys),
      createAcceptor(other, fixture().accountKeys),
    ];
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, i) => present(acceptors[i % 2]).submit(again(message))),
    );
    expect(kinds(outcomes).filter((kind) => kind === 'accepted')).toHaveLength(1);
    const ids = new Set(outcomes.map((outcome) => (outcome.kind === 'refused' ? null : outcome.messageId)));
    expect(ids.size).toBe(1);
    expect(await fixture().count('messages', tenant.accountId)).toBe(1);
    expect(await fixture().taken(tenant.accountId)).toEqual([1]);
  });

  test('is recognised even if its first request took the last of the quota a moment ago', async () => {
    const tenant = await fixture().tenant({ quota: 1 });
    const message = messageOf(tenant);
    const interrupted = interruptedBefore('read-open-periods', () =>
      acceptTogether(other, fixture().accountKeys, [message]),
    );
    expect(await acceptTogether(interrupted, fixture().accountKeys, [again(message)])).toEqual([repeated(message.id)]);
  });

  test('of a signature for another device is refused, in a later batch and in the same one', async () => {
    const tenant = await fixture().tenant();
    const second = await fixture().device(tenant.accountId);
    const message = messageOf(tenant);
    const stolen = again(message, { deviceId: second.deviceId });
    expect(await acceptTogether(fixture().database, fixture().accountKeys, [message, stolen])).toEqual([
      accepted,
      refused('REPLAYED_REQUEST'),
    ]);
    expect(await accept(again(stolen))).toEqual(refused('REPLAYED_REQUEST'));
    expect(await fixture().count('messages', tenant.accountId)).toBe(1);
  });

  test('of a client_ref with the same fields has the first outcome, and with other fields is refused', async () => {
    const tenant = await fixture().tenant();
    const first = messageOf(tenant, { clientRef: 'order-1' });
    expect(await accept(first)).toEqual(accepted);
    expect(await accept(messageOf(tenant, { clientRef: 'order-1' }))).toEqual(repeated(first.id));
    const changed: TestInput[] = [
      { text: 'Other' },
      { recipient: '6281234567891' },
      { priority: 'otp' },
      { ttlSeconds: 60 },
    ];
    for (const change of changed)
      expect(await accept(messageOf(tenant, { clientRef: 'order-1', ...change }))).toEqual({
        ...refused('IDEMPOTENCY_KEY_REUSED'),
        firstId: first.id,
      });
    expect(await fixture().count('messages', tenant.accountId)).toBe(1);
  });

  test('of a client_ref is refused for another device of the account, but another account may use it', async () => {
    const [tenant, stranger] = [await fixture().tenant(), await fixture().tenant()];
    const second = await fixture().device(tenant.accountId);
    await accept(messageOf(tenant, { clientRef: 'order-1' }));
    expect(await accept(messageOf({ ...tenant, deviceId: second.deviceId }, { clientRef: 'order-1' }))).toMatchObject(
      refused('IDEMPOTENCY_KEY_REUSED'),
    );
    expect(await accept(messageOf(stranger, { clientRef: 'order-1' }))).toEqual(accepted);
  });

  test('inside one bulk has the outcome of the first message', async () => {
    const tenant = await fixture().tenant();
    const bulk = bulkOf(tenant, [{}, { clientRef: 'a' }, { clientRef: 'a' }, { clientRef: 'a', text: 'Other' }, {}]);
    const outcomes = await acceptTogether(fixture().database, fixture().accountKeys, bulk);
    expect(kinds(outcomes)).toEqual(['accepted', 'accepted', 'repeated', 'refused', 'accepted']);
    expect(outcomes[2]).toEqual(repeated(present(bulk[1]?.id)));
    expect(outcomes[3]).toEqual({ ...refused('IDEMPOTENCY_KEY_REUSED'), firstId: bulk[1]?.id });
    expect(await fixture().taken(tenant.accountId)).toEqual([3]);
  });

  test('of a whole bulk has all first outcomes, also those that were repeats', async () => {
    const tenant = await fixture().tenant();
    const bulk = bulkOf(tenant, [{ clientRef: 'a' }, { clientRef: 'a' }, {}]);
    const ids = (outcomes: AcceptOutcome[]) =>
      outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome.code : outcome.messageId));
    const first = await acceptTogether(fixture().database, fixture().accountKeys, bulk);
    const second = await acceptTogether(
      fixture().database,
      fixture().accountKeys,
      bulk.map((message) => again(message)),
    );
    expect(kinds(second)).toEqual(['repeated', 'repeated', 'repeated']);
    expect(ids(second)).toEqual(ids(first));
  });

  test('with a new signature can later be repeated with that signature', async () => {
    const tenant = await fixture().tenant();
    const first = messageOf(tenant, { clientRef: 'order-1' });
    await accept(first);
    const retry = messageOf(tenant, { clientRef: 'order-1' });
    expect(await accept(retry)).toEqual(repeated(first.id));
    await fixture().query('DELETE FROM request_keys WHERE scope = $1', [tenant.accountId]);
    expect(await accept(again(retry))).toEqual(repeated(first.id));
  });

  test('with its old signature and a new client_ref can later be repeated with that client_ref', async () => {
    const tenant = await fixture().tenant();
    const first = messageOf(tenant);
    await accept(first);
    const withHeader = messageOf(tenant, { clientRef: 'key-1' });
    expect(await accept({ ...withHeader, repeatKey: first.repeatKey })).toEqual(repeated(first.id));
    expect(await accept(messageOf(tenant, { clientRef: 'key-1' }))).toEqual(repeated(first.id));
    expect(await fixture().count('messages', tenant.accountId)).toBe(1);
  });

  test.each<[string, (tenant: Tenant, id: MessageId) => Promise<unknown>]>([
    ['the quota is used up', ({ accountId }) => endQuota(accountId)],
    ['the plan has expired', ({ accountId }) => endPlan(accountId)],
    ['the device is gone', ({ deviceId }) => fixture().query('DELETE FROM devices WHERE id = $1', [deviceId])],
    ['the device is unlinked', ({ deviceId }) => setDevice(deviceId, `linked = false, state = 'disconnected'`)],
    ['the message is final', (_, id) => moveMessages(fixture().database.pool, [{ id, to: 'failed' }])],
    ['the message was deleted', (_, id) => fixture().query('DELETE FROM messages WHERE id = $1', [id])],
  ])('still has its first outcome when %s', async (_what, change) => {
    const tenant = await fixture().tenant();
    const message = messageOf(tenant, { clientRef: 'order-1' });
    await accept(message);
    await change(tenant, message.id);
    expect(await accept(again(message))).toEqual(repeated(message.id));
    expect(await accept(messageOf(tenant, { clientRef: 'order-1' }))).toEqual(repeated(message.id));
  });

  test('of a scheduled message still has its first outcome after the scheduled time', async () => {
    const tenant = await fixture().tenant();
    const message = messageOf(tenant, { sendAt: new Date(Date.now() + 3_600_000) });
    await accept(message);
    const late = { ...again(message), input: { ...message.input, sendAt: new Date(Date.now() - 3_600_000) } };
    expect(await accept(late)).toEqual(repeated(message.id));
  });

  test('a signature belongs to its key: the same bytes with another key are another request', async () => {
    const tenant = await fixture().tenant();
    const message = messageOf(tenant);
    await accept(message);
    const otherKey = again(message, { keyId: `kk_test_${randomBytes(4).toString('hex')}` });
    expect(await accept(otherKey)).toEqual(accepted);
  });
});

describe('two equal requests in one batch', () => {
  test('are both refused when the first is, and neither names a message that was not stored', async () => {
    const tenant = await fixture().tenant({ quota: 1 });
    await accept(messageOf(tenant, { clientRef: 'taken' }));
    const reused = messageOf(tenant, { clientRef: 'taken', text: 'Other' });
    const tooMany = messageOf(tenant);
    const outcomes = await acceptTogether(fixture().database, fixture().accountKeys, [
      reused,
      again(reused),
      tooMany,
      again(tooMany),
    ]);
    expect(outcomes).toMatchObject([
      refused('IDEMPOTENCY_KEY_REUSED'),
      refused('IDEMPOTENCY_KEY_REUSED'),
      refused('QUOTA_EXHAUSTED'),
      refused('QUOTA_EXHAUSTED'),
    ]);
  });

  test('have an older outcome when the first of them is a repeat', async () => {
    const tenant = await fixture().tenant();
    const old = messageOf(tenant);
    await accept(old);
    const withHeader = { ...messageOf(tenant, { clientRef: 'key-1' }), repeatKey: old.repeatKey };
    const signedAnew = messageOf(tenant, { clientRef: 'key-1' });
    expect(await acceptTogether(fixture().database, fixture().accountKeys, [withHeader, signedAnew])).toEqual([
      repeated(old.id),
      repeated(old.id),
    ]);
  });
});
