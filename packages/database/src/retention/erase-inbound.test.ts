import { expect, test } from 'vitest';
import { type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { budi, inboundOn, siti, textFrom } from '../../test/inbound-fixture.js';
import { continueAccountErasure } from './erase-account.js';
import { eraseContents } from './erase-contents.js';
import { forgetInbound } from './erase-inbound.js';

const fixture = useDatabaseFixture();
const { store, conversations, events, rows } = inboundOn(fixture);
const { signal } = new AbortController();

const age = ({ deviceId }: Tenant, hours: number) =>
  fixture().query(`UPDATE inbound_messages SET received_at = now() - make_interval(hours => $2) WHERE device_id = $1`, [
    deviceId,
    hours,
  ]);

const keptIn = async ({ deviceId }: Tenant) => (await rows(deviceId)).filter(({ sealed }) => sealed !== null).length;

test('words go after their time, sooner for an account that keeps less, and the event then shows null', async () => {
  const [long, short, young] = await Promise.all([0, 1, 2].map(() => fixture().tenant()));
  if (!long || !short || !young) throw new Error('no tenants');
  await fixture().query('UPDATE accounts SET text_retention_hours = 24 WHERE id = $1', [short.accountId]);
  for (const tenant of [long, short, young]) await store(tenant.deviceId, textFrom(budi, 'rahasia'));
  await Promise.all([age(long, 30), age(short, 30), age(young, 2)]);
  await eraseContents(fixture().database, 720, signal);
  expect(await Promise.all([long, short, young].map(keptIn))).toEqual([1, 0, 1]);
  expect((await events(short))[0]?.data).toMatchObject({
    type: 'text',
    text: null,
    from: { user_id: budi.userId, name: null },
  });
  await age(long, 721);
  await eraseContents(fixture().database, 720, signal);
  expect(await Promise.all([long, young].map(keptIn))).toEqual([0, 1]);
});

test('old messages are forgotten, then their conversations; those of yesterday stay', async () => {
  const tenant = await fixture().tenant();
  await store(tenant.deviceId, textFrom(budi, 'old'), textFrom(siti, 'new'));
  const [old] = await conversations(tenant.deviceId);
  await fixture().query(`UPDATE inbound_messages SET id = 'inb_00' || substr(id, 7) WHERE conversation_id = $1`, [
    old?.id,
  ]);
  await fixture().query(`UPDATE conversations SET last_message_at = now() - interval '500 days' WHERE id = $1`, [
    old?.id,
  ]);
  await forgetInbound(fixture().database, 400, signal);
  expect(await conversations(tenant.deviceId)).toMatchObject([{ user_id: siti.userId }]);
  expect(await rows(tenant.deviceId)).toHaveLength(1);
});

test('an erased account has no conversations left', async () => {
  const [tenant, other] = [await fixture().tenant(), await fixture().tenant()];
  for (const { deviceId } of [tenant, other]) await store(deviceId, textFrom(budi, 'Halo'));
  await fixture().query('UPDATE devices SET linked = false, desired_state = $2 WHERE id = $1', [
    tenant.deviceId,
    'unlinked',
  ]);
  await fixture().query('UPDATE device_leases SET owner = NULL, expires_at = now() WHERE device_id = $1', [
    tenant.deviceId,
  ]);
  await fixture().query('UPDATE accounts SET erasure_begun_at = now() WHERE id = $1', [tenant.accountId]);
  expect(await continueAccountErasure(fixture().database, tenant.accountId, { settlingMs: 0 })).toMatchObject({
    done: true,
  });
  expect(await conversations(tenant.deviceId)).toEqual([]);
  expect(await rows(tenant.deviceId)).toEqual([]);
  expect(await rows(other.deviceId)).toHaveLength(1);
});
