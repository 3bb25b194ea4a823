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

/** A second api process. */
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

/** Its statements go out one after the other; `meanwhile` is done before the named one. */
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
  // Accepting asks for nothing else of a pool.
  return { ...fixture().database, pool: { connect } as unknown as Database['pool'] };
}

describe('a repeat', () => {
  test('of 50 identical requests at once over two processes stores one message and tells all of it', async () => {
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

  test('of what took the last of the quota a moment ago is not told that there is none', async () => {
    const tenant = await fixture().tenant({ quota: 1 });
    const message = messageOf(tenant);
    const interrupted = interruptedBefore('read-open-periods', () =>
      acceptTogether(other, fixture().accountKeys, [message]),
    );
    expect(await acceptTogether(interrupted, fixture().accountKeys, [again(message)])).toEqual([repeated(message.id)]);
  });

  test('of a signature under another device is refused, in a later batch and in the same one', async () => {
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

  test('of a client_ref with the same fields has the first answer, with other fields is refused', async () => {
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

  test('of a client_ref by another device of the account is refused, by another account it is a first', async () => {
    const [tenant, stranger] = [await fixture().tenant(), await fixture().tenant()];
    const second = await fixture().device(tenant.accountId);
    await accept(messageOf(tenant, { clientRef: 'order-1' }));
    expect(await accept(messageOf({ ...tenant, deviceId: second.deviceId }, { clientRef: 'order-1' }))).toEqual(
      refused('IDEMPOTENCY_KEY_REUSED'),
    );
    expect(await accept(messageOf(stranger, { clientRef: 'order-1' }))).toEqual(accepted);
  });

  test('inside one bulk has the answer of the first of them', async () => {
    const tenant = await fixture().tenant();
    const bulk = bulkOf(tenant, [{}, { clientRef: 'a' }, { clientRef: 'a' }, { clientRef: 'a', text: 'Other' }, {}]);
    const outcomes = await acceptTogether(fixture().database, fixture().accountKeys, bulk);
    expect(kinds(outcomes)).toEqual(['accepted', 'accepted', 'repeated', 'refused', 'accepted']);
    expect(outcomes[2]).toEqual(repeated(present(bulk[1]?.id)));
    expect(outcomes[3]).toEqual(refused('IDEMPOTENCY_KEY_REUSED'));
    expect(await fixture().taken(tenant.accountId)).toEqual([3]);
  });

  test('of a whole bulk has all its first answers, also what was a repeat then', async () => {
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

  test('under a new signature is known by that signature from then on', async () => {
    const tenant = await fixture().tenant();
    const first = messageOf(tenant, { clientRef: 'order-1' });
    await accept(first);
    const retry = messageOf(tenant, { clientRef: 'order-1' });
    expect(await accept(retry)).toEqual(repeated(first.id));
    await fixture().query('DELETE FROM request_keys WHERE scope = $1', [tenant.accountId]);
    expect(await accept(again(retry))).toEqual(repeated(first.id));
  });

  test('under its signature that adds a client_ref is known by that reference from then on', async () => {
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
  ])('still has its first answer when %s', async (_what, change) => {
    const tenant = await fixture().tenant();
    const message = messageOf(tenant, { clientRef: 'order-1' });
    await accept(message);
    await change(tenant, message.id);
    expect(await accept(again(message))).toEqual(repeated(message.id));
    expect(await accept(messageOf(tenant, { clientRef: 'order-1' }))).toEqual(repeated(message.id));
  });

  test('of a scheduled message still has its first answer when its time has passed', async () => {
    const tenant = await fixture().tenant();
    const message = messageOf(tenant, { sendAt: new Date(Date.now() + 3_600_000) });
    await accept(message);
    const late = { ...again(message), input: { ...message.input, sendAt: new Date(Date.now() - 3_600_000) } };
    expect(await accept(late)).toEqual(repeated(message.id));
  });

  test('a signature is bound to its key: the same bytes under another key are another request', async () => {
    const tenant = await fixture().tenant();
    const message = messageOf(tenant);
    await accept(message);
    const otherKey = again(message, { keyId: `kk_test_${randomBytes(4).toString('hex')}` });
    expect(await accept(otherKey)).toEqual(accepted);
  });
});

describe('two equal requests in one batch', () => {
  test('are both refused when the first is, and neither is told of a message that was never stored', async () => {
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

  test('have the first answer of old when the first of them is a repeat', async () => {
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
  ])('leaves no key behind: the same request succeeds when %s is back', async (_what, code, take, giveBack) => {
    const tenant = await fixture().tenant();
    await take(tenant);
    const message = messageOf(tenant, { clientRef: 'order-1' });
    expect(await accept(message)).toEqual(refused(code));
    expect(await fixture().keysLeft(tenant)).toBe(0);
    expect(await fixture().count('messages', tenant.accountId)).toBe(0);
    await giveBack(tenant);
    expect(await accept(again(message))).toEqual(accepted);
  });

  test('takes no quota and does not keep the others of its bulk back', async () => {
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

  test('is taken from an unlimited period where that ends first, and from a limited one where that does', async () => {
    const [unlimitedFirst, limitedFirst] = [await fixture().tenant(), await fixture().tenant({ quota: null })];
    await fixture().openPeriod(unlimitedFirst.accountId, { quota: null, endsInHours: 1 });
    await fixture().openPeriod(limitedFirst.accountId, { quota: 1, endsInHours: 1 });
    for (const tenant of [unlimitedFirst, limitedFirst]) await fixture().accept(tenant, [{}, {}]);
    expect(await fixture().taken(unlimitedFirst.accountId)).toEqual([0, 0]);
    expect(await fixture().taken(limitedFirst.accountId)).toEqual([1, 0]);
  });

  test('of a period that has not begun is not given', async () => {
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

describe('what is stored', () => {
  test('of a bulk of 1,000 is in the order of the bulk', async () => {
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

  test('is what was asked, under a network id made from its own id', async () => {
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

  test('expires by the time of acceptance when its send_at is of a clock that runs a little late', async () => {
    const tenant = await fixture().tenant();
    const sendAt = new Date(Date.now() - 45_000);
    const [stored] = await fixture().accept(tenant, [{ sendAt, ttlSeconds: 30 }]);
    const [row] = await fixture().query<{ at: Date }>('SELECT expires_at AS at FROM messages WHERE id = $1', [
      stored?.messageId,
    ]);
    expect(row?.at.getTime()).toBeGreaterThan(Date.now() + 25_000);
  });

  test('is nothing when send_at lies in the past', async () => {
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
