import { networkNames, networks } from '@kurir/contracts';
import { expect, test } from 'vitest';
import { broadcastsOn } from '../../test/broadcast-fixture.js';
import { present, useDatabaseFixture } from '../../test/database-fixture.js';
import { cancelMessage } from '../messages/cancel-messages.js';
import { expireMessages } from '../messages/sweep-messages.js';
import { settleRestored } from './settle-restored.js';

const fixture = useDatabaseFixture();
const { many, drive, broadcast, running, ready } = broadcastsOn(fixture);

const settle = () => settleRestored(fixture().database, 'admin');

test('a message that was being sent is unknown, and its recipient is no new contact', async () => {
  const tenant = await fixture().tenant();
  const [standing] = await fixture().sending(tenant);
  const id = present(standing).id;
  expect((await settle()).unknown).toBe(1);
  expect(await fixture().state(id)).toMatchObject({ status: 'unknown', reason: 'no_answer' });
  const contacts = await fixture().query('SELECT 1 FROM device_contacts WHERE device_id = $1', [tenant.deviceId]);
  expect(contacts).toHaveLength(1);
});

test('a message that waited goes again under its old id; it cannot be cancelled, and ends as unknown', async () => {
  const tenant = await fixture().tenant();
  const [first, second] = await fixture().accept(tenant, [{ priority: 'otp' }, {}]);
  const [code, note] = [present(first).messageId, present(second).messageId];
  expect((await settle()).sentAgain).toBe(2);
  expect(await cancelMessage(fixture().database, tenant.accountId, note)).toBe('not-cancellable');
  await fixture().change(code, `expires_at = now() - interval '1 s'`);
  await expireMessages(fixture().database);
  expect(await fixture().state(code)).toMatchObject({ status: 'unknown', reason: 'no_answer' });
  const holder = await fixture().handOver(await fixture().handOver(tenant.holder));
  await fixture().query(`UPDATE device_leases SET expires_at = now() + interval '1 min' WHERE device_id = $1`, [
    holder.deviceId,
  ]);
  expect(await fixture().claim(holder)).toMatchObject({ kind: 'claimed', message: { id: note } });
});

test('a message whose time comes later did not go out', async () => {
  const tenant = await fixture().tenant();
  const [later] = await fixture().accept(tenant, [{ sendAt: new Date(Date.now() + 3_600_000) }]);
  expect((await settle()).sentAgain).toBe(0);
  expect(await cancelMessage(fixture().database, tenant.accountId, present(later).messageId)).toBe('cancelled');
});

test('broadcasts that sent, or whose time came since, are paused', async () => {
  const tenant = await fixture().tenant();
  const sent = await running(tenant, many(60));
  await drive(sent);
  const due = await running(tenant, many(5), { sendAt: new Date(Date.now() + 3_600_000) });
  const later = await running(tenant, many(5), { sendAt: new Date(Date.now() + 3_600_000) });
  const unstarted = await ready(tenant, many(5));
  await fixture().query(`UPDATE broadcasts SET send_at = now() - interval '1 s' WHERE id = $1`, [due]);
  expect((await settle()).broadcastsPaused).toBe(2);
  for (const id of [sent, due]) expect(await broadcast(id)).toMatchObject({ state: 'paused', paused_by: 'user' });
  expect(await broadcast(later)).toMatchObject({ state: 'scheduled' });
  expect(await broadcast(unstarted)).toMatchObject({ state: 'ready' });
});

test('no worker of before may go on, and each linked device makes new keys', async () => {
  const tenant = await fixture().tenant();
  await fixture().accept(tenant, [{}]);
  expect((await settle()).devicesWithNewKeys).toBeGreaterThan(0);
  expect(await fixture().claim(tenant.holder)).toEqual({ kind: 'lease-lost' });
  const rows = await fixture().query('SELECT 1 FROM devices WHERE id = $1 AND forget_sessions_at IS NOT NULL', [
    tenant.deviceId,
  ]);
  expect(rows).toHaveLength(1);
});

test('a second run changes no message; each run begins a generation of the log, and is in the audit log', async () => {
  const tenant = await fixture().tenant();
  await fixture().sending(tenant);
  await fixture().accept(tenant, [{}, {}]);
  const generation = async () => {
    const [row] = await fixture().query<{ n: string }>('SELECT restore_number::text AS n FROM event_log');
    return Number(present(row).n);
  };
  const before = await generation();
  await settle();
  expect(await settle()).toMatchObject({ unknown: 0, sentAgain: 0, broadcastsPaused: 0 });
  expect(await generation()).toBe(before + 2);
  const audits = await fixture().query(`SELECT 1 FROM audit_log WHERE action = 'events.restored' AND actor = 'admin'`);
  expect(audits.length).toBeGreaterThanOrEqual(2);
});

// `settleRestored` must end the waiting messages of a network that shows one id twice.
test.each(networkNames)('%s shows an id once', (name) => {
  expect(networks[name].triesWithoutAnswer).toBeGreaterThan(1);
});
