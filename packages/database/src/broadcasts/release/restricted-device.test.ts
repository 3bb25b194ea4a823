/** Devices that leave a broadcast or may write to no new contacts any more, while it runs. */
import { expect, test } from 'vitest';
import { broadcastsOn, numberOf } from '../../../test/broadcast-fixture.js';
import { type Work, useCrossing } from '../../../test/crossing-fixture.js';
import { present, useDatabaseFixture } from '../../../test/database-fixture.js';
import { noteContacts } from '../../devices/device-contacts.js';
import { createClaimer } from '../../messages/claim-message.js';
import type { LeaseToken } from '../../sessions/lease-token.js';
import { lockToDrive } from '../state/broadcast-state.js';
import { freeShares, readSenders } from './broadcast-devices.js';

const fixture = useDatabaseFixture();
const cross = useCrossing(fixture);
const { many, drive, send, rows, broadcast, running } = broadcastsOn(fixture);

const people = 1_000;

test('its new contacts go out by the others at once, and people stay with the device that knows them', async () => {
  const tenant = await fixture().tenant({ quota: people });
  const holders: LeaseToken[] = [tenant.holder];
  while (holders.length < 5) holders.push(await fixture().device(tenant.accountId));
  const restricted = present(holders[0]);
  // Each second person is known to one of the devices.
  const knownBy = (i: number) => present(holders[(i / 2) % holders.length]).deviceId;
  const known = Array.from({ length: people / 2 }, (_, i) => 2 * i);
  await noteContacts(
    fixture().database,
    known.map((i) => ({ deviceId: knownBy(i), recipient: numberOf(i), direction: 'wrote' as const })),
  );
  const id = await running(tenant, many(people), { deviceIds: holders.map(({ deviceId }) => deviceId) });
  await drive(id);
  await fixture().query(`UPDATE devices SET new_contacts_blocked_until = now() + interval '1 hour' WHERE id = $1`, [
    restricted.deviceId,
  ]);

  const sentBy = new Map<string, string[]>(holders.map(({ deviceId }) => [deviceId, []]));
  let rounds = 0;
  for (; (await broadcast(id)).state === 'running'; rounds += 1) {
    await drive(id);
    for (const holder of holders) sentBy.get(holder.deviceId)?.push(...(await send(holder)));
    expect(rounds).toBeLessThan(20);
  }

  const all = [...sentBy.values()].flat();
  expect(all).toHaveLength(people);
  expect(new Set(all).size).toBe(people);
  const stayed = known.filter((i) => sentBy.get(knownBy(i))?.includes(numberOf(i)));
  expect(stayed).toHaveLength(known.length);
  const strangers = new Set(many(people).flatMap(({ recipient }, i) => (i % 2 === 1 ? [recipient] : [])));
  expect(sentBy.get(restricted.deviceId)?.filter((recipient) => strangers.has(recipient))).toEqual([]);
  // The list shows the device that sent.
  for (const { recipient, device_id: shown } of await rows(id)) expect(sentBy.get(shown ?? '')).toContain(recipient);
});

test('the messages of a device that left go out by all others in turn', async () => {
  const tenant = await fixture().tenant({ quota: 300 });
  const others = [await fixture().device(tenant.accountId), await fixture().device(tenant.accountId)];
  const deviceIds = [tenant.deviceId, ...others.map(({ deviceId }) => deviceId)];
  await noteContacts(
    fixture().database,
    many(100).map(({ recipient }) => ({
      deviceId: tenant.deviceId,
      recipient: recipient ?? '',
      direction: 'wrote' as const,
    })),
  );
  const id = await running(tenant, many(100), { deviceIds });
  await drive(id);
  await fixture().query(`UPDATE devices SET linked = false, desired_state = 'unlinked' WHERE id = $1`, [
    tenant.deviceId,
  ]);
  await drive(id);
  const counts = [];
  for (const holder of others) counts.push((await send(holder)).length);
  expect(counts).toEqual([50, 50]);
});

test.each([true, false])(
  'a share that moves while its device claims: one of them wins, and the message goes out once (claim first: %s)',
  async (isFirst) => {
    const tenant = await fixture().tenant();
    const other = await fixture().device(tenant.accountId);
    const id = await running(tenant, many(1));
    await drive(id);
    await fixture().query('UPDATE broadcasts SET device_ids = $2 WHERE id = $1', [id, [other.deviceId]]);
    const claiming: Work<unknown> = (database) =>
      createClaimer(database, fixture().accountKeys).submit({ ...tenant.holder, lastTry: '' });
    const moving: Work<unknown> = async ({ pool }) => {
      const client = await pool.connect();
      const locked = await lockToDrive(client, id);
      if (locked === null) throw new Error('the broadcast is gone');
      await freeShares(client, locked, await readSenders(client, locked));
      client.release();
    };
    const { waited } = await (isFirst ? cross(claiming, moving) : cross(moving, claiming));
    expect(waited).toBe(true);
    const [message] = await fixture().query('SELECT device_id, status FROM messages WHERE broadcast_id = $1', [id]);
    expect(message).toEqual(
      isFirst ? { device_id: tenant.deviceId, status: 'sending' } : { device_id: other.deviceId, status: 'queued' },
    );
    const sent = [...(await send(tenant.holder)), ...(await send(other))];
    expect(sent).toEqual([numberOf(0)]);
  },
);
