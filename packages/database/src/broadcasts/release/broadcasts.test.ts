import { describe, expect, test } from 'vitest';
import { broadcastsOn, numberOf, rowOf } from '../../../test/broadcast-fixture.js';
import { textIn, useDatabaseFixture } from '../../../test/database-fixture.js';
import { noteContacts } from '../../devices/device-contacts.js';
import { suppress } from '../../suppressions/suppress.js';
import { addRecipients } from '../create-broadcast.js';
import { failUnlinkedMessages } from '../../messages/sweep-messages.js';
import { driveBroadcast } from './drive-broadcast.js';

const fixture = useDatabaseFixture();
const { ready, many, drive, send, rows, broadcast, quota, statuses, start, pause, resume, running } =
  broadcastsOn(fixture);

test('each recipient gets one message with their own values, and the broadcast finishes', async () => {
  const tenant = await fixture().tenant({ quota: 10 });
  const list = [rowOf(numberOf(1), { nama: 'Budi' }), rowOf(numberOf(2))];
  const id = await running(tenant, list, { text: { text: 'Halo {{nama|Kak}}', footer: 'Balas STOP' } });
  expect(await quota(tenant.accountId)).toEqual({ taken: 0, reserved: 2 });
  await drive(id);
  expect(await quota(tenant.accountId)).toEqual({ taken: 2, reserved: 0 });
  const first = await fixture().claim(tenant.holder);
  if (first.kind !== 'claimed') throw new Error('nothing was claimed');
  expect(textIn(first.message.content)).toBe('Halo Budi\n\nBalas STOP');
  await fixture().change(first.message.id, `status = 'delivered'`);
  expect(await send(tenant.holder)).toEqual([numberOf(2)]);
  await drive(id);
  expect(await broadcast(id)).toMatchObject({ state: 'finished', reserved: 0 });
  expect(await statuses(id)).toEqual({ delivered: 1, sent: 1 });
  await drive(id);
  expect(await statuses(id)).toEqual({ delivered: 1, sent: 1 });
});

test('nobody disappears: a row that gets no message is kept with the reason', async () => {
  const tenant = await fixture().tenant();
  await suppress(
    fixture().database,
    fixture().accountKeys,
    { accountId: tenant.accountId, phones: [numberOf(9)], scope: 'marketing', reason: 'manual', actor: null },
    undefined,
  );
  const nama = 'Ani';
  const id = await ready(
    tenant,
    [
      rowOf(numberOf(1), { nama }),
      rowOf(numberOf(1), { nama }),
      rowOf(null, { nama }),
      rowOf(numberOf(2)),
      rowOf(numberOf(9), { nama }),
      rowOf(numberOf(3), { nama: 'x'.repeat(70_000) }),
    ],
    { text: { text: 'Halo {{nama}}', footer: null } },
  );
  expect((await rows(id)).map(({ skip_reason }) => skip_reason)).toEqual([
    null,
    'duplicate',
    'invalid_number',
    'missing_value',
    'suppressed',
    'text_refused',
  ]);
});

test('rows that are added twice are added once', async () => {
  const tenant = await fixture().tenant();
  const id = await ready(tenant, []);
  await fixture().query(`UPDATE broadcasts SET state = 'draft' WHERE id = $1`, [id]);
  const add = async (after: number) => {
    const { database, accountKeys } = fixture();
    const whose = { id, accountId: tenant.accountId };
    const added = await addRecipients(database, accountKeys, whose, after, many(10, after));
    return added.kind === 'added' && added.recipients;
  };
  expect(await Promise.all([add(0), add(0), add(0)])).toEqual([10, 10, 10]);
  expect([await add(0), await add(10), await add(5)]).toEqual([10, 20, 20]);
  expect((await rows(id)).map(({ position }) => position)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
});

describe('a lane', () => {
  test('gets a window at a time, and the next one when it has room', async () => {
    const tenant = await fixture().tenant();
    const id = await running(tenant, many(450));
    await drive(id);
    expect(await statuses(id)).toEqual({ queued: 200 });
    expect(await quota(tenant.accountId)).toEqual({ taken: 200, reserved: 250 });
    await send(tenant.holder);
    await drive(id);
    expect(await statuses(id)).toEqual({ sent: 200, queued: 200 });
  });

  test('gets no more than the pace of the broadcast', async () => {
    const tenant = await fixture().tenant();
    const id = await running(tenant, many(100), { pacePerMinute: 60 });
    await drive(id);
    expect(await statuses(id)).toEqual({ queued: 10 });
    await fixture().query(`UPDATE broadcasts SET paced_until = paced_until - interval '5 seconds' WHERE id = $1`, [id]);
    await drive(id);
    expect(await statuses(id)).toEqual({ queued: 15 });
  });

  test('of a very slow broadcast gets one message after the other', async () => {
    const tenant = await fixture().tenant();
    const id = await running(tenant, many(3), { pacePerMinute: 1 });
    await drive(id);
    expect(await statuses(id)).toEqual({ queued: 1 });
  });
});

describe('several devices', () => {
  test('keep the people whom they know, and share the others', async () => {
    const tenant = await fixture().tenant();
    const second = await fixture().device(tenant.accountId);
    await noteContacts(
      fixture().database,
      Array.from({ length: 30 }, (_, i) => ({
        deviceId: second.deviceId,
        recipient: numberOf(i),
        direction: 'heard' as const,
      })),
    );
    const id = await running(tenant, many(130), { deviceIds: [tenant.deviceId, second.deviceId] });
    await drive(id);
    const found = await rows(id);
    expect(found.slice(0, 30).every(({ device_id }) => device_id === second.deviceId)).toBe(true);
    const others = found.slice(30).map(({ device_id }) => device_id);
    expect(others.filter((deviceId) => deviceId === tenant.deviceId)).toHaveLength(50);
  });

  test('a device that may write to no new contacts gets only those whom it knows', async () => {
    const tenant = await fixture().tenant();
    const second = await fixture().device(tenant.accountId);
    await fixture().query(`UPDATE devices SET new_contacts_blocked_until = now() + interval '1 day' WHERE id = $1`, [
      second.deviceId,
    ]);
    await noteContacts(fixture().database, [{ deviceId: second.deviceId, recipient: numberOf(0), direction: 'heard' }]);
    const id = await running(tenant, many(50), { deviceIds: [tenant.deviceId, second.deviceId] });
    await drive(id);
    const bySecond = (await rows(id)).filter(({ device_id }) => device_id === second.deviceId);
    expect(bySecond.map(({ recipient }) => recipient)).toEqual([numberOf(0)]);
  });

  test('a device that is unlinked leaves, and its share goes out by the others, each once', async () => {
    const tenant = await fixture().tenant();
    const second = await fixture().device(tenant.accountId);
    await noteContacts(
      fixture().database,
      Array.from({ length: 300 }, (_, i) => ({
        deviceId: second.deviceId,
        recipient: numberOf(i),
        direction: 'heard' as const,
      })),
    );
    const id = await running(tenant, many(300), { deviceIds: [tenant.deviceId, second.deviceId] });
    await drive(id);
    expect(await fixture().claim(second)).toMatchObject({ kind: 'claimed' });
    await fixture().query(`UPDATE devices SET linked = false, desired_state = 'unlinked' WHERE id = $1`, [
      second.deviceId,
    ]);
    await failUnlinkedMessages(fixture().database);
    const recipients: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      await drive(id);
      recipients.push(...(await send(tenant.holder)));
    }
    expect(new Set(recipients).size).toBe(299);
    expect(recipients).toHaveLength(299);
    // The message that the device had claimed stays with it, and nobody knows whether it went out.
    expect(await statuses(id)).toEqual({ unknown: 1, sent: 299 });
  });

  test('none of which can send pauses the broadcast until one can', async () => {
    const tenant = await fixture().tenant();
    const id = await running(tenant, many(5));
    const away = (interval: string) =>
      fixture().query(`UPDATE device_leases SET expires_at = now() + $2::interval WHERE device_id = $1`, [
        tenant.deviceId,
        interval,
      ]);
    await away('-1 hour');
    await drive(id);
    expect(await broadcast(id)).toMatchObject({ state: 'paused', paused_by: 'no_device' });
    await drive(id);
    await away('1 hour');
    await drive(id);
    expect(await broadcast(id)).toMatchObject({ state: 'running' });
    expect(await statuses(id)).toEqual({ queued: 5 });
  });
});

describe('quota', () => {
  test('that does not suffice refuses the start and reserves nothing', async () => {
    const tenant = await fixture().tenant({ quota: 5 });
    const id = await ready(tenant, many(6));
    expect(await start(tenant, id)).toMatchObject({
      kind: 'refused',
      code: 'QUOTA_EXHAUSTED',
      needed: 6,
      remaining: 5,
    });
    expect(await quota(tenant.accountId)).toEqual({ taken: 0, reserved: 0 });
    expect((await broadcast(id)).state).toBe('ready');
  });

  test('that is reserved is not there for others', async () => {
    const tenant = await fixture().tenant({ quota: 5 });
    await running(tenant, many(4));
    await fixture().accept(tenant, [{ recipient: numberOf(900) }]);
    await expect(fixture().accept(tenant, [{ recipient: numberOf(901) }])).rejects.toThrow('QUOTA_EXHAUSTED');
  });

  test('of a period that ends is reserved in the next one, or the broadcast pauses', async () => {
    const tenant = await fixture().tenant({ quota: 1_000 });
    const id = await running(tenant, many(250));
    await drive(id);
    await send(tenant.holder);
    await fixture().query(`UPDATE subscription_periods SET ends_at = now() - interval '2 ms' WHERE account_id = $1`, [
      tenant.accountId,
    ]);
    await drive(id);
    expect(await broadcast(id)).toMatchObject({ state: 'paused', paused_by: 'quota' });
    await fixture().openPeriod(tenant.accountId, { quota: 60 });
    await drive(id);
    expect(await statuses(id)).toEqual({ sent: 200, queued: 50 });
    expect(
      await fixture().query(
        `SELECT taken_quota, reserved_quota FROM subscription_periods WHERE account_id = $1 ORDER BY ends_at`,
        [tenant.accountId],
      ),
    ).toEqual([
      { taken_quota: 200, reserved_quota: 0 },
      { taken_quota: 50, reserved_quota: 0 },
    ]);
  });
});

test('a person who opts out between planning and release is skipped', async () => {
  const tenant = await fixture().tenant();
  const id = await running(tenant, many(2));
  await suppress(
    fixture().database,
    fixture().accountKeys,
    { accountId: tenant.accountId, phones: [numberOf(0)], scope: 'marketing', reason: 'manual', actor: null },
    undefined,
  );
  await drive(id);
  expect(await send(tenant.holder)).toEqual([numberOf(1)]);
  expect((await rows(id))[0]).toMatchObject({ state: 1, skip_reason: 'suppressed' });
  await drive(id);
  expect(await broadcast(id)).toMatchObject({ state: 'finished' });
  expect(await quota(tenant.accountId)).toEqual({ taken: 1, reserved: 0 });
});

test('workers that step at once, while somebody pauses and resumes, send to each once', async () => {
  const tenant = await fixture().tenant({ quota: 2_000 });
  const second = await fixture().device(tenant.accountId);
  const id = await running(tenant, many(900), { deviceIds: [tenant.deviceId, second.deviceId] });
  const recipients: string[] = [];
  const { database, accountKeys } = fixture();
  for (let i = 0; i < 12; i += 1) {
    await Promise.all([
      driveBroadcast(database, accountKeys, id),
      driveBroadcast(database, accountKeys, id),
      i % 3 === 1 ? pause(tenant, id) : driveBroadcast(database, accountKeys, id),
    ]);
    if (i % 3 === 1) {
      expect(await fixture().claim(tenant.holder)).toEqual({ kind: 'nothing' });
      await resume(tenant, id);
    }
    recipients.push(...(await send(tenant.holder)), ...(await send(second)));
  }
  await drive(id);
  expect(new Set(recipients).size).toBe(900);
  expect(recipients).toHaveLength(900);
  expect(await broadcast(id)).toMatchObject({ state: 'finished' });
  expect(await quota(tenant.accountId)).toEqual({ taken: 900, reserved: 0 });
});
