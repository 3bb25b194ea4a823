import { newId } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { present, sealer, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { createAccount, grantPeriod } from '../accounts/accounts.js';
import { changeDevice } from '../devices/device-settings.js';
import { createOutcomeWriter } from '../messages/report-outcome.js';
import { moveMessages } from '../messages/write-status.js';
import {
  type EventPosition,
  isLost,
  nameOfPosition,
  noteCluster,
  noteRestore,
  parsePosition,
  readEndOfLog,
  readEvents,
} from './events.js';

const fixture = useDatabaseFixture({ poolSize: 20 });

const read = async ({ accountId }: Pick<Tenant, 'accountId'>, after: EventPosition, limit = 100) =>
  readEvents(fixture().database, [accountId], after, limit);

/** Reads until `count` events are there. A statement of another test in this cluster may delay them for a moment. */
async function untilRead(tenant: Pick<Tenant, 'accountId'>, after: EventPosition, count: number) {
  return waitUntil(
    async () => {
      const { events } = await read(tenant, after);
      return events.length >= count ? events : null;
    },
    { what: `${count} events are read`, timeoutMs: 30_000 },
  );
}

/** The end of the log when all earlier events are readable. The events that made the tenant come before it. */
async function fromHere({ accountId }: Pick<Tenant, 'accountId'>): Promise<EventPosition> {
  const marker = newId('req');
  await fixture().query(insert, [accountId, marker]);
  const read = async () => {
    const { events } = await readEvents(fixture().database, [accountId], { generation: 0n, xid: 0n, seq: 0n }, 1_000);
    return events.find(({ subjectId }) => subjectId === marker)?.position;
  };
  return waitUntil(read, { what: 'the log is readable up to here', timeoutMs: 30_000 });
}

const insert = `INSERT INTO events (account_id, generation, subject_id, kind) VALUES ($1, event_generation(), $2, 'account.changed')`;

describe('a reader misses nothing', () => {
  test('when the writer that began later commits first', async () => {
    const tenant = await fixture().tenant();
    const from = await fromHere(tenant);
    const [slow, fast] = [await fixture().database.pool.connect(), await fixture().database.pool.connect()];
    try {
      await slow.query('BEGIN');
      await slow.query(insert, [tenant.accountId, 'slow']);
      await fast.query(insert, [tenant.accountId, 'fast']);
      // `fast` is committed; `slow` may still come before it.
      const first = await read(tenant, from);
      expect(first.events).toEqual([]);
      await slow.query('COMMIT');
      const events = await untilRead(tenant, first.next, 2);
      expect(events.map(({ subjectId }) => subjectId)).toEqual(['slow', 'fast']);
    } finally {
      slow.release();
      fast.release();
    }
  });

  test('of twelve writers at once, and sees each event once', async () => {
    const tenant = await fixture().tenant();
    let position = await fromHere(tenant);
    const seen: string[] = [];
    const write = async (writer: number) => {
      const client = await fixture().database.pool.connect();
      try {
        for (let n = 0; n < 25; n++) {
          await client.query('BEGIN');
          await client.query(insert, [tenant.accountId, `${writer} ${n}`]);
          if ((writer + n) % 3 === 0) await client.query('SELECT pg_sleep(0.003)');
          await client.query((writer * n) % 7 === 6 ? 'ROLLBACK' : 'COMMIT');
        }
      } finally {
        client.release();
      }
    };
    const readOn = async () => {
      const { events, next } = await read(tenant, position, 7);
      seen.push(...events.map(({ subjectId }) => subjectId));
      position = next;
    };
    const writing = { is: true };
    const all = Promise.all(Array.from({ length: 12 }, (_, writer) => write(writer))).finally(() => {
      writing.is = false;
    });
    while (writing.is) await readOn();
    await all;
    const stored = await fixture().query<{ subject_id: string }>(
      `SELECT subject_id FROM events WHERE account_id = $1 AND subject_id ~ '^\\d+ \\d+$'`,
      [tenant.accountId],
    );
    await waitUntil(
      async () => {
        await readOn();
        return seen.length >= stored.length;
      },
      { what: 'all is read', timeoutMs: 30_000 },
    );
    expect(seen.toSorted()).toEqual(stored.map((row) => row.subject_id).toSorted());
  });

  test('across a page that is full', async () => {
    const tenant = await fixture().tenant();
    const from = await fromHere(tenant);
    await fixture().accept(
      tenant,
      Array.from({ length: 10 }, () => ({})),
    );
    await untilRead(tenant, from, 10);
    const first = await read(tenant, from, 4);
    expect(first).toMatchObject({ hasMore: true });
    const second = await read(tenant, first.next, 100);
    expect(second.hasMore).toBe(false);
    expect(first.events.length + second.events.length).toBe(10);
  });
});

describe('the sequence of an event within its subject', () => {
  test('has no gaps from acceptance to the last receipt, and a receipt counts its implied steps', async () => {
    const tenant = await fixture().tenant();
    const from = await fromHere(tenant);
    await fixture().accept(tenant);
    const claim = await fixture().claim(tenant.holder);
    if (claim.kind !== 'claimed') throw new Error('nothing was claimed');
    const { networkMessageId } = claim.message;
    const { reported } = createOutcomeWriter(fixture().database);
    await reported({ deviceId: tenant.deviceId, networkMessageId, status: 'read' });
    const events = await untilRead(tenant, from, 5);
    expect(events.map(({ kind, sequence }) => [sequence, kind])).toEqual([
      [1, 'message.accepted'],
      [2, 'message.sending'],
      [3, 'message.sent'],
      [4, 'message.delivered'],
      [5, 'message.read'],
    ]);
    expect(events.every(({ deviceId }) => deviceId === tenant.deviceId)).toBe(true);
  });

  test('follows the order of the moves, even if a transaction got its id and then waited for the row', async () => {
    const tenant = await fixture().tenant();
    const from = await fromHere(tenant);
    const [standing] = await fixture().sending(tenant);
    const { id } = present(standing);
    const [early, late] = [await fixture().database.pool.connect(), await fixture().database.pool.connect()];
    try {
      await late.query('BEGIN; SELECT 1');
      await early.query('BEGIN');
      // It has the earlier id, and has locked nothing yet.
      await early.query('SELECT pg_current_xact_id()');
      await moveMessages(late, [{ id, to: 'sent' }]);
      const moving = moveMessages(early, [{ id, to: 'delivered' }]);
      await waitUntil(() => fixture().waitsForLock(), { what: 'the second waits for the row' });
      await late.query('COMMIT');
      await moving;
      await early.query('COMMIT');
    } finally {
      early.release();
      late.release();
    }
    const events = await untilRead(tenant, from, 3);
    const ofMessage = events.filter(({ subjectId }) => subjectId === id);
    // `delivered` comes first in the log, but its sequence shows the true order.
    expect(ofMessage.map(({ kind, sequence }) => [sequence, kind])).toEqual([
      [1, 'message.accepted'],
      [3, 'message.delivered'],
      [2, 'message.sent'],
    ]);
  });

  test('continues in the writes of an api of the earlier version', async () => {
    const tenant = await fixture().tenant();
    const from = await fromHere(tenant);
    const id = newId('msg');
    await fixture().query(
      `INSERT INTO messages (id, account_id, device_id, key_id, request_id, priority, recipient, body, network_message_id)
       VALUES ($1, $2, $3, 'key', 'req', 1, '6281', 'text', $1)`,
      [id, tenant.accountId, tenant.deviceId],
    );
    // Cancels like the earlier version.
    await fixture().query(
      `WITH moved AS (UPDATE messages SET status = 'cancelled' WHERE id = $1 RETURNING id, status, reason)
       INSERT INTO message_events (message_id, status, reason) SELECT id, status, reason FROM moved`,
      [id],
    );
    const events = await untilRead(tenant, from, 2);
    expect(events.map(({ kind, sequence, subjectId }) => [subjectId, sequence, kind])).toEqual([
      [id, 1, 'message.accepted'],
      [id, 2, 'message.cancelled'],
    ]);
    expect(await fixture().events(id)).toEqual(['cancelled']);
  });
});

describe('of a device', () => {
  test('each change of state and limits has a sequence, and any other shown change has none', async () => {
    const tenant = await fixture().tenant();
    const from = await fromHere(tenant);
    const { deviceId } = tenant;
    await fixture().query(`UPDATE devices SET state = 'connecting', state_reason = 'connection_lost' WHERE id = $1`, [
      deviceId,
    ]);
    await changeDevice(fixture().database, sealer, tenant.accountId, deviceId, { newContactsPerDay: 7 });
    await changeDevice(fixture().database, sealer, tenant.accountId, deviceId, { name: 'Other' });
    await changeDevice(fixture().database, sealer, tenant.accountId, deviceId, { name: 'Other' });
    await fixture().query(`UPDATE devices SET state = 'connected', state_reason = NULL WHERE id = $1`, [deviceId]);
    const events = await untilRead(tenant, from, 4);
    expect(events.map(({ kind, sequence }) => [sequence, kind])).toEqual([
      [1, 'device.state_changed'],
      [2, 'device.limits_changed'],
      [null, 'device.changed'],
      [3, 'device.state_changed'],
    ]);
  });
});

test('a new period of an account is an event, and another account does not read it', async () => {
  const [accountId, stranger] = [
    await createAccount(fixture().database, 'test'),
    await createAccount(fixture().database, 'test'),
  ];
  const from = await fromHere({ accountId });
  const plan = {
    planId: newId('pln'),
    name: 'Test',
    type: 'TIME_BASED',
    durationDays: 30,
    priceRupiah: 1,
    quota: 5,
    maxDevices: 5,
  };
  await grantPeriod(fixture().database, accountId, plan);
  const [event] = await untilRead({ accountId }, from, 1);
  expect(event).toMatchObject({ kind: 'account.changed', subjectId: accountId, sequence: null });
  expect((await read({ accountId: stranger }, from)).events).toEqual([]);
});

describe('a position', () => {
  const parts = fc.record({
    generation: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
    xid: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
    seq: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
  });

  test('is read back from its name, and any other text is refused', () => {
    fc.assert(
      fc.property(parts, (position) => {
        expect(parsePosition(nameOfPosition(position))).toEqual(position);
      }),
    );
    for (const rubbish of ['', '1', '1-2', '1-2-3-4', '1-2-', 'A-1-1', '1700000000000-1', `1-1-${'z'.repeat(13)}`])
      expect(parsePosition(rubbish), rubbish).toBeNull();
  });

  test('of the time before a restored backup may be lost, and reading continues from any', async () => {
    const tenant = await fixture().tenant();
    const from = await fromHere(tenant);
    await fixture().accept(tenant, [{}, {}]);
    const [first, second] = await untilRead(tenant, from, 2);
    const [kept, gone] = [present(first).position, present(second).position];
    // The backup does not have this event.
    await fixture().query('DELETE FROM events WHERE seq = $1', [gone.seq]);
    await fixture().query('UPDATE event_log SET system_identifier = system_identifier + 1');
    expect(await noteCluster(fixture().database)).toBe(true);
    expect(await noteCluster(fixture().database)).toBe(false);
    expect(await isLost(fixture().database, gone)).toBe(true);
    await fixture().accept(tenant);
    const [next] = await untilRead(tenant, kept, 1);
    expect(next?.position.generation).toBe(kept.generation + 2n ** 32n);
    // Ids of transactions restart in another cluster; the generation comes before them.
    await fixture().query('UPDATE events SET xid = $2::xid8 WHERE seq = $1', [next?.position.seq, '3']);
    const [again] = await untilRead(tenant, kept, 1);
    expect(again?.position).toMatchObject({ xid: 3n, seq: next?.position.seq });
  });

  test('ahead of the log is lost, because the database was set back', async () => {
    const end = await readEndOfLog(fixture().database);
    expect(await isLost(fixture().database, end)).toBe(false);
    expect(await isLost(fixture().database, { ...end, xid: end.xid + 1_000_000n })).toBe(true);
  });

  test('of the time before a restore into the same cluster is lost after the command', async () => {
    const before = await readEndOfLog(fixture().database);
    await noteRestore(fixture().database);
    const after = await readEndOfLog(fixture().database);
    expect(after.generation).toBe(before.generation + 2n ** 32n);
    expect(await isLost(fixture().database, before)).toBe(true);
    expect(await isLost(fixture().database, after)).toBe(false);
  });
});
