/** The counts of days: what counts where, and passes that repeat, meet, or end in the middle. */
import { type DeviceId, newId } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { present, type Tenant, useDatabaseFixture } from '../../../test/database-fixture.js';
import { budi, inboundOn, siti, textFrom } from '../../../test/inbound-fixture.js';
import { advisoryLocks } from '../../postgres/advisory-locks.js';
import { writeUnlinked } from '../../sessions/device-session.js';
import { writeLinked } from '../../sessions/write-linked.js';
import { deleteDevice } from '../delete-device.js';
import { countDeviceDays } from './count-device-days.js';
import { readDeviceHealth } from './read-health.js';

const fixture = useDatabaseFixture();
const { store } = inboundOn(fixture);
const { signal } = new AbortController();
const day = 86_400_000;
const today = new Date(Math.floor(Date.now() / day) * day);
const at = (days: number, ms = 0) => new Date(today.getTime() + days * day + ms);
const dateOf = (time: Date) => time.toISOString().slice(0, 10);

let tenant: Tenant;
beforeEach(async () => {
  tenant = await fixture().tenant();
});

type Given = { at?: Date; sendAt?: Date; status?: string; reason?: string; count?: number; deviceId?: DeviceId };

/** Stores messages as if they had been accepted at a time. */
async function messages({ at: time = new Date(), sendAt, status = 'sent', reason, count = 1, deviceId }: Given) {
  const ids = Array.from({ length: count }, () => newId('msg', time.getTime()));
  await fixture().query(
    `INSERT INTO messages (id, account_id, device_id, key_id, request_id, priority, category, recipient, body, network_message_id,
       status, reason, send_at, created_at, event_count)
     SELECT id, $2, $3, $4, 'req_1', 1, 2, '62811' || n, '', id, $5, $6, $7, $8, 1 FROM unnest($1::text[]) WITH ORDINALITY AS t (id, n)`,
    [ids, tenant.accountId, deviceId ?? tenant.deviceId, tenant.keyId, status, reason ?? null, sendAt ?? null, time],
  );
  return ids;
}

const count = (now = new Date(), stop = signal) => countDeviceDays(fixture().database, stop, { now, freshForMs: 0 });

/** The days of the tenant's device on which something happened, newest first, without zeros. */
async function days(deviceId = tenant.deviceId): Promise<Record<string, Record<string, number>>> {
  const health = await readDeviceHealth(fixture().database, tenant.accountId, deviceId);
  const busy = present(health?.days).flatMap(({ day: name, ...counts }) => {
    const some = Object.entries(counts).filter(([, value]) => value > 0);
    return some.length === 0 ? [] : [[name, Object.fromEntries(some)] as const];
  });
  return Object.fromEntries(busy);
}

describe('a pass', () => {
  test('counts each outcome once, and leaves out what says nothing about the number', async () => {
    for (const status of ['sent', 'delivered', 'read', 'unknown', 'queued', 'expired', 'cancelled'])
      await messages({ status });
    for (const reason of [
      'rejected_by_network',
      'new_contacts_restricted',
      'recipient_not_on_network',
      'device_unlinked',
    ])
      await messages({ status: 'failed', reason });
    await count();
    expect(await days()).toEqual({ [dateOf(today)]: { sent: 3, delivered: 2, failed: 1, refused: 2, unknown: 1 } });
  });

  test('again, or many at once, changes nothing', async () => {
    await messages({ count: 12 });
    await messages({ at: at(-1), status: 'read', count: 7 });
    await count();
    const once = await days();
    expect(once).toEqual({ [dateOf(at(-1))]: { sent: 7, delivered: 7 }, [dateOf(today)]: { sent: 12 } });
    await Promise.all([1, 2, 3, 4].map(() => count()));
    expect(await days()).toEqual(once);
  });

  test('puts the last millisecond of a day before midnight and the next one after it', async () => {
    await messages({ at: at(0, -1) });
    await messages({ at: at(0), count: 2 });
    await count();
    expect(await days()).toEqual({ [dateOf(at(-1))]: { sent: 1 }, [dateOf(today)]: { sent: 2 } });
  });

  test('follows a receipt until the end of the next day, and no longer', async () => {
    const ids = await messages({ at: at(0), count: 3 });
    await count(at(0, 1_000));
    const receive = (which: string[]) =>
      fixture().query(`UPDATE messages SET status = 'delivered' WHERE id = ANY ($1)`, [which]);
    await receive(ids.slice(0, 1));
    await count(at(2, -1));
    expect(await days()).toEqual({ [dateOf(today)]: { sent: 3, delivered: 1 } });
    await receive(ids.slice(1));
    await count(at(2));
    expect(await days()).toEqual({ [dateOf(today)]: { sent: 3, delivered: 1 } });
  });

  test('counts a scheduled message on its own day, even if it was accepted long ago', async () => {
    await messages({ at: at(-20), sendAt: at(0, 1), count: 2 });
    await messages({ at: at(0), sendAt: at(5) });
    await messages({ at: at(-2), sendAt: at(0, -1) });
    await count();
    expect(await days()).toEqual({ [dateOf(at(-1))]: { sent: 1 }, [dateOf(today)]: { sent: 2 } });
  });

  test('goes through more messages than a page has, also if all of them are scheduled for the same moment', async () => {
    await messages({ count: 5_001 });
    await messages({ at: at(-3), sendAt: at(0, 1), count: 5_001, status: 'read' });
    await count();
    expect(await days()).toEqual({ [dateOf(today)]: { sent: 10_002, delivered: 5_001 } });
  });

  test('that is stopped writes nothing for an unfinished day', async () => {
    await messages({ at: at(-1), count: 2 });
    await count();
    await messages({ at: at(-1), count: 2 });
    await count(new Date(), AbortSignal.abort());
    expect(await days()).toEqual({ [dateOf(at(-1))]: { sent: 2 } });
    await count();
    expect(await days()).toEqual({ [dateOf(at(-1))]: { sent: 4 } });
  });

  test('whose connection is killed in the middle leaves the day as it was, and the next one counts it', async () => {
    await messages({ at: at(-1), count: 2 });
    await count();
    await messages({ at: at(-1), count: 20_000 });
    const killed = count().catch((error: unknown) => error);
    const kill = () =>
      fixture().query(
        `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
         WHERE l.locktype = 'advisory' AND l.objid = $1 AND d.datname = current_database()`,
        [advisoryLocks.deviceDays],
      );
    await waitUntil(async () => (await kill()).length > 0, { what: 'a pass holds the lock' });
    expect(await killed).toBeInstanceOf(Error);
    expect(await days()).toEqual({ [dateOf(at(-1))]: { sent: 2 } });
    await count();
    expect(await days()).toEqual({ [dateOf(at(-1))]: { sent: 20_002 } });
  });

  test('does not count again what another worker counted a moment ago', async () => {
    await messages({});
    await count();
    await messages({});
    await countDeviceDays(fixture().database, signal);
    expect(await days()).toEqual({ [dateOf(today)]: { sent: 1 } });
  });

  test('takes back a day that has nothing left, and days that are 90 days old', async () => {
    const [id] = await messages({});
    await count();
    for (const days of [89, 90])
      await fixture().query(`INSERT INTO device_days (device_id, day, sent) VALUES ($1, $2, 1)`, [
        tenant.deviceId,
        dateOf(at(-days)),
      ]);
    await fixture().query('DELETE FROM messages WHERE id = $1', [id]);
    await count();
    const left = await fixture().query('SELECT day::text FROM device_days WHERE device_id = $1', [tenant.deviceId]);
    expect(left).toEqual([{ day: dateOf(at(-89)) }]);
  });
});

test('answers and opt-outs count for the device that got them, each person once', async () => {
  const other = await fixture().device(tenant.accountId);
  await store(tenant.deviceId, textFrom(budi, 'Halo'), textFrom(budi, 'STOP'), textFrom(siti, 'Berapa?'));
  await store(other.deviceId, textFrom(siti, 'STOP'));
  await count();
  expect((await days())[dateOf(today)]).toMatchObject({ answers: 3, optedOut: 1 });
  expect((await days(other.deviceId))[dateOf(today)]).toMatchObject({ answers: 1, optedOut: 1 });
});

test('a complaint counts for the device that wrote the last marketing to the person', async () => {
  const other = await fixture().device(tenant.accountId);
  await messages({ at: at(-9), deviceId: other.deviceId });
  await messages({ at: at(-8) });
  await fixture().query(
    `INSERT INTO suppressions (account_id, recipient_key, scope, recipient, reason) VALUES ($1, 'a', 'marketing', '628111', 'complaint'),
       ($1, 'b', 'marketing', '628112', 'complaint'), ($1, 'c', 'all', '628111', 'manual')`,
    [tenant.accountId],
  );
  await count();
  expect(await days()).toEqual({ [dateOf(today)]: { optedOut: 1 } });
  expect(await days(other.deviceId)).toEqual({});
});

test('another number on the device starts without days, and the same number keeps them', async () => {
  await writeLinked(fixture().database, tenant.holder, '6281100');
  await messages({ count: 3 });
  await messages({ at: at(-1), count: 3 });
  // The fixture's device was made without a link; its number had these messages.
  await fixture().query('UPDATE device_health SET counted_from = NULL WHERE device_id = $1', [tenant.deviceId]);
  await count();
  const own = await days();
  expect(Object.keys(own)).toHaveLength(2);
  await writeLinked(fixture().database, tenant.holder, '6281100');
  await count();
  expect(await days()).toEqual(own);
  await writeLinked(fixture().database, tenant.holder, '6281200');
  expect(await days()).toEqual({});
  await count();
  expect(await days()).toEqual({});
  await messages({ at: new Date(Date.now() + 2) });
  await count();
  expect(await days()).toEqual({ [dateOf(today)]: { sent: 1 } });
});

test('a deleted device has no days, and no later pass brings them back', async () => {
  await messages({ count: 3 });
  await count();
  await writeUnlinked(fixture().database, tenant.holder, 'disconnected', null);
  await fixture().query('UPDATE device_leases SET owner = NULL WHERE device_id = $1', [tenant.deviceId]);
  expect(await deleteDevice(fixture().database, tenant.accountId, tenant.deviceId)).toBe('deleted');
  await count();
  expect(await fixture().query('SELECT 1 FROM device_days WHERE device_id = $1', [tenant.deviceId])).toEqual([]);
  expect(await readDeviceHealth(fixture().database, tenant.accountId, tenant.deviceId)).toBeNull();
});

test('a device without messages is good, and has thirty empty days', async () => {
  await count();
  const health = await readDeviceHealth(fixture().database, tenant.accountId, tenant.deviceId);
  expect(health).toMatchObject({ word: 'good', reasons: [], countedAt: null });
  expect(health?.days.map((one) => one.day)).toEqual(Array.from({ length: 30 }, (_, n) => dateOf(at(n - 29))));
  expect(await readDeviceHealth(fixture().database, newId('acc'), tenant.deviceId)).toBeNull();
});

test('the word follows the counts of seven days and what the network says', async () => {
  const word = async () => (await readDeviceHealth(fixture().database, tenant.accountId, tenant.deviceId))?.word;
  await fixture().query(
    `INSERT INTO device_days (device_id, day, sent, failed, delivered) VALUES ($1, $2, 0, 500, 0), ($1, $3, 90, 10, 90), ($1, $4, 400, 0, 350)`,
    [tenant.deviceId, dateOf(at(-7)), dateOf(at(-6)), dateOf(at(-10))],
  );
  expect(await word()).toBe('watch');
  await fixture().query('UPDATE device_days SET delivered = 30 WHERE device_id = $1 AND day = $2', [
    tenant.deviceId,
    dateOf(at(-6)),
  ]);
  expect(await word()).toBe('at_risk');
  await fixture().query(`UPDATE devices SET new_contacts_blocked_until = now() + interval '1 hour' WHERE id = $1`, [
    tenant.deviceId,
  ]);
  expect(await word()).toBe('restricted');
});
