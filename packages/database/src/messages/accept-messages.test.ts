import { createHash, randomBytes } from 'node:crypto';
import { type MessageId, newId, textContent } from '@kurir/contracts';
import type { QueryConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  again,
  bulkOf,
  copies,
  messageOf,
  present,
  type Tenant,
  type TestInput,
  useDatabaseFixture,
} from '../../test/database-fixture.js';
import { type Database, openDatabase } from '../postgres/connect.js';
import { acceptTogether, createAcceptor } from './accept-messages.js';
import type { AcceptOutcome, NewMessage } from './new-message.js';
import { readForRetry } from './read-messages.js';
import { moveMessages } from './write-status.js';

const fixture = useDatabaseFixture();

/** The database of another api process. */
let other: Database;
beforeAll(() => {
  other = openDatabase({ url: fixture().url, poolSize: 5 });
});
afterAll(() => other.close());

async function accept(message: NewMessage): Promise<AcceptOutcome> {
  const [outcome] = await acceptTogether(fixture().database, fixture().accountKeys, [message]);
  if (outcome === undefined) throw new Error('no outcome');
  return outcome;
}

const refused = (code: string) => ({ kind: 'refused', code });
const repeated = (messageId: MessageId) => ({ kind: 'repeated', messageId });
const accepted = expect.objectContaining({ kind: 'accepted' });
const kinds = (outcomes: readonly AcceptOutcome[]) => outcomes.map((outcome) => outcome.kind);

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
      expect(await accept(messageOf(tenant, { clientRef: 'order-1', ...change }))).toEqual(
        refused('IDEMPOTENCY_KEY_REUSED'),
      );
    expect(await fixture().count('messages', tenant.accountId)).toBe(1);
  });

  test('of a client_ref is refused for another device of the account, but another account may use it', async () => {
    const [tenant, stranger] = [await fixture().tenant(), await fixture().tenant()];
    const second = await fixture().device(tenant.accountId);
    await accept(messageOf(tenant, { clientRef: 'order-1' }));
    expect(await accept(messageOf({ ...tenant, deviceId: second.deviceId }, { clientRef: 'order-1' }))).toEqual(
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
    expect(outcomes[3]).toEqual(refused('IDEMPOTENCY_KEY_REUSED'));
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
    expect(outcomes).toEqual([
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

describe('a refused message', () => {
  test.each<[string, string, (tenant: Tenant) => Promise<unknown>, (tenant: Tenant) => Promise<unknown>]>([
    [
      'the quota',
      'QUOTA_EXHAUSTED',
      (t) => endQuota(t.accountId),
      (t) => fixture().openPeriod(t.accountId, { quota: 5 }),
    ],
    ['the plan', 'PLAN_EXPIRED', (t) => endPlan(t.accountId), (t) => fixture().openPeriod(t.accountId, { quota: 5 })],
    [
      'the connection',
      'DEVICE_NOT_CONNECTED',
      (t) => setDevice(t.deviceId, `state = 'disconnected'`),
      (t) => setDevice(t.deviceId, `state = 'connected'`),
    ],
  ])('leaves no request key: the same request succeeds when %s is back', async (_what, code, take, giveBack) => {
    const tenant = await fixture().tenant();
    await take(tenant);
    const message = messageOf(tenant, { clientRef: 'order-1' });
    expect(await accept(message)).toEqual(refused(code));
    expect(await fixture().keysLeft(tenant)).toBe(0);
    expect(await fixture().count('messages', tenant.accountId)).toBe(0);
    await giveBack(tenant);
    expect(await accept(again(message))).toEqual(accepted);
  });

  test('takes no quota and does not prevent the others of its bulk', async () => {
    const tenant = await fixture().tenant({ quota: 2 });
    const outcomes = await acceptTogether(fixture().database, fixture().accountKeys, bulkOf(tenant, [{}, {}, {}, {}]));
    expect(outcomes).toEqual([accepted, accepted, refused('QUOTA_EXHAUSTED'), refused('QUOTA_EXHAUSTED')]);
    expect(await fixture().taken(tenant.accountId)).toEqual([2]);
    expect(await fixture().keysLeft(tenant)).toBe(2);
  });
});

describe('quota', () => {
  test('is taken from the open period that ends first, then from the next', async () => {
    const tenant = await fixture().tenant({ quota: 10 });
    await fixture().openPeriod(tenant.accountId, { quota: 2, endsInHours: 1 });
    await fixture().openPeriod(tenant.accountId, { quota: 9, endsInHours: -1 });
    await fixture().accept(tenant, [{}, {}, {}]);
    expect(await fixture().taken(tenant.accountId)).toEqual([0, 2, 1]);
  });

  test('of an unlimited plan is never counted', async () => {
    const tenant = await fixture().tenant({ quota: null });
    await fixture().accept(tenant, copies(20));
    expect(await fixture().taken(tenant.accountId)).toEqual([0]);
  });

  test('is taken from the period that ends first, limited or not', async () => {
    const [unlimitedFirst, limitedFirst] = [await fixture().tenant(), await fixture().tenant({ quota: null })];
    await fixture().openPeriod(unlimitedFirst.accountId, { quota: null, endsInHours: 1 });
    await fixture().openPeriod(limitedFirst.accountId, { quota: 1, endsInHours: 1 });
    for (const tenant of [unlimitedFirst, limitedFirst]) await fixture().accept(tenant, [{}, {}]);
    expect(await fixture().taken(unlimitedFirst.accountId)).toEqual([0, 0]);
    expect(await fixture().taken(limitedFirst.accountId)).toEqual([1, 0]);
  });

  test('of a period that has not begun is not used', async () => {
    const tenant = await fixture().tenant();
    await fixture().query(
      `UPDATE subscription_periods SET starts_at = now() + interval '1 minute' WHERE account_id = $1`,
      [tenant.accountId],
    );
    expect(await accept(messageOf(tenant))).toEqual(refused('PLAN_EXPIRED'));
  });
});

describe('a device', () => {
  test.each([
    ['unknown', () => newId('dev')],
    ['of another account', async () => (await fixture().tenant()).deviceId],
    ['with a name that could never be an id', () => `dev_' OR 1=1`],
  ])('%s does not exist', async (_what, find) => {
    const tenant = await fixture().tenant();
    const deviceId = (await find()) as Tenant['deviceId'];
    expect(await accept(messageOf(tenant, {}, { deviceId }))).toEqual(refused('DEVICE_NOT_FOUND'));
  });

  test.each([
    [true, 'is connected', `state = 'connected'`, '1 minute'],
    [true, `is connected and its holder died half a minute ago`, `state = 'connected'`, '-30 seconds'],
    [false, 'is connected and its holder died long ago', `state = 'connected'`, '-61 seconds'],
    [
      true,
      'is reconnecting since 50 s',
      `state = 'connecting', last_connected_at = now() - interval '50 s'`,
      '1 minute',
    ],
    [
      false,
      'is reconnecting since 61 s',
      `state = 'connecting', last_connected_at = now() - interval '61 s'`,
      '1 minute',
    ],
    [false, 'never was connected', `state = 'connecting', last_connected_at = NULL`, '1 minute'],
    [false, 'is to be unlinked', `desired_state = 'unlinked'`, '1 minute'],
    [false, 'is not linked', `linked = false`, '1 minute'],
    [false, 'is banned', `state = 'banned'`, '1 minute'],
    [false, 'has a network of a newer version', `network = 'of a newer version'`, '1 minute'],
  ])('accepts sends: %s, when it %s', async (accepts, _what, change, lease) => {
    const tenant = await fixture().tenant();
    await setDevice(tenant.deviceId, change);
    await fixture().query(`UPDATE device_leases SET expires_at = now() + $2::interval WHERE device_id = $1`, [
      tenant.deviceId,
      lease,
    ]);
    expect(await accept(messageOf(tenant))).toEqual(accepts ? accepted : refused('DEVICE_NOT_CONNECTED'));
  });
});

describe('a stored message', () => {
  test('keeps its place in a bulk of 1,000', async () => {
    const tenant = await fixture().tenant();
    const bulk = bulkOf(
      tenant,
      Array.from({ length: 1_000 }, (_, i) => ({ text: `message ${i}` })),
    );
    await acceptTogether(fixture().database, fixture().accountKeys, bulk);
    const stored = await fixture().query<{ id: string }>('SELECT id FROM messages WHERE account_id = $1 ORDER BY seq', [
      tenant.accountId,
    ]);
    expect(stored.map((row) => row.id)).toEqual(bulk.map((message) => message.id));
  });

  test('has the requested fields, and a network id that is derived from its own id', async () => {
    const tenant = await fixture().tenant();
    const sendAt = new Date(Date.now() + 60_000);
    const text = ' 😀\u0001 e\u0301\r\n';
    const message = messageOf(tenant, { text, priority: 'otp', clientRef: 'é', ttlSeconds: 30, sendAt });
    await acceptTogether(fixture().database, fixture().accountKeys, [message]);
    const digest = createHash('sha256').update(`v1|${message.id}`).digest('hex').slice(0, 18).toUpperCase();
    expect(await fixture().query('SELECT * FROM messages WHERE id = $1', [message.id])).toMatchObject([
      {
        body: '',
        priority: 0,
        client_ref: 'é',
        status: 'queued',
        attempts: 0,
        send_at: sendAt,
        network_message_id: `3EB0${digest}`,
        expires_at: new Date(sendAt.getTime() + 30_000),
        account_id: tenant.accountId,
        key_id: tenant.keyId,
      },
    ]);
    const kept = await readForRetry(fixture().database, fixture().accountKeys, tenant.accountId, message.id);
    expect(kept?.content).toEqual(textContent(text));
  });

  test('expires by its time of acceptance when the clock of its send_at is a little late', async () => {
    const tenant = await fixture().tenant();
    const sendAt = new Date(Date.now() - 45_000);
    const [stored] = await fixture().accept(tenant, [{ sendAt, ttlSeconds: 30 }]);
    const [row] = await fixture().query<{ at: Date }>('SELECT expires_at AS at FROM messages WHERE id = $1', [
      stored?.messageId,
    ]);
    expect(row?.at.getTime()).toBeGreaterThan(Date.now() + 25_000);
  });

  test('does not exist when send_at is in the past', async () => {
    const tenant = await fixture().tenant();
    expect(await accept(messageOf(tenant, { sendAt: new Date(Date.now() - 65_000) }))).toEqual(
      refused('INVALID_REQUEST'),
    );
    expect(await fixture().keysLeft(tenant)).toBe(0);
  });
});

async function endQuota(accountId: string): Promise<void> {
  await fixture().query('UPDATE subscription_periods SET taken_quota = initial_quota WHERE account_id = $1', [
    accountId,
  ]);
}

async function endPlan(accountId: string): Promise<void> {
  await fixture().query(
    `UPDATE subscription_periods SET ends_at = now() - make_interval(secs => 1) WHERE account_id = $1`,
    [accountId],
  );
}

async function setDevice(deviceId: string, change: string): Promise<void> {
  await fixture().query(`UPDATE devices SET ${change} WHERE id = $1`, [deviceId]);
}
