import { expect, test } from 'vitest';
import { type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { budi, everyReport, inboundOn, personOf, siti, textFrom } from '../../test/inbound-fixture.js';
import { continueAccountErasure } from './erase-account.js';
import { eraseContents } from './erase-contents.js';
import { forgetInbound } from './forget-inbound.js';

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

const silent = ({ deviceId }: Tenant, and = 'true') =>
  fixture().query(
    `UPDATE conversations SET last_message_at = now() - interval '500 days' WHERE device_id = $1 AND ${and}`,
    [deviceId],
  );

test('a conversation that lives keeps its aliases, and goes with them', async () => {
  const tenant = await fixture().tenant();
  const number = budi.phone ?? '';
  await store(tenant.deviceId, textFrom(personOf(number, number), 'a'), textFrom(budi, 'b'));
  await silent(tenant, 'alias_of IS NOT NULL');
  await forgetInbound(fixture().database, 400, signal);
  const before = await conversations(tenant.deviceId);
  expect(before).toMatchObject([{ phone: number, alias_of: null }, { alias_of: before[0]?.id }]);
  await store(tenant.deviceId, textFrom(budi, 'c'));
  expect(await conversations(tenant.deviceId)).toMatchObject([{ id: before[0]?.id, unread: 3 }, {}]);
  await fixture().query(`UPDATE inbound_messages SET id = 'inb_00' || substr(id, 7) WHERE device_id = $1`, [
    tenant.deviceId,
  ]);
  await silent(tenant);
  await forgetInbound(fixture().database, 400, signal);
  expect(await conversations(tenant.deviceId)).toEqual([]);
});

test('conversations that must stay do not keep the silent ones behind them', async () => {
  const tenant = await fixture().tenant();
  const { accountId, deviceId } = tenant;
  const make = `INSERT INTO conversations (id, account_id, device_id, chat_id, type, user_id, last_message_at)
    SELECT 'cnv_00' || $3 || n, $1, $2, $3 || n, 'direct', $3 || n, now() - make_interval(days => $4)
    FROM generate_series(1, $5::int) AS n`;
  await fixture().query(make, [accountId, deviceId, 'kept', 600, 510]);
  await fixture().query(make, [accountId, deviceId, 'gone', 500, 10]);
  await fixture().query(
    `INSERT INTO conversation_messages (conversation_id, message_id)
     SELECT id, 'msg_' || id FROM conversations WHERE device_id = $1 AND chat_id LIKE 'kept%'`,
    [deviceId],
  );
  await forgetInbound(fixture().database, 400, signal);
  const left = await conversations(deviceId);
  expect(left).toHaveLength(510);
  expect(left.filter(({ chat_id }) => chat_id.startsWith('gone'))).toEqual([]);
});

test('a report that comes while its conversation is being forgotten is kept with a conversation', async () => {
  const tenant = await fixture().tenant();
  for (let i = 0; i < 20; i += 1) {
    await store(tenant.deviceId, textFrom(budi, 'old'));
    await fixture().query('DELETE FROM inbound_messages WHERE device_id = $1', [tenant.deviceId]);
    await silent(tenant);
    const target = { networkMessageId: 'OLD', writtenByUs: true };
    const reaction = { ...everyReport(budi), kind: 'reaction', target, emoji: '👍' } as const;
    await Promise.all([store(tenant.deviceId, reaction), forgetInbound(fixture().database, 400, signal)]);
    expect(
      await fixture().query(
        'SELECT FROM inbound_messages i JOIN conversations c ON c.id = i.conversation_id WHERE i.device_id = $1',
        [tenant.deviceId],
      ),
    ).toHaveLength(1);
  }
});

test('an erased account has no conversations left', async () => {
  const [tenant, other] = [await fixture().tenant(), await fixture().tenant()];
  for (const { deviceId } of [tenant, other]) await store(deviceId, textFrom(budi, 'Halo'));
  await fixture().query('UPDATE devices SET linked = false, desired_state = $2 WHERE id = $1', [
    tenant.deviceId,
    'unlinked',
  ]);
  await fixture().query(
    `UPDATE device_leases SET owner = NULL, expires_at = now() - interval '2 ms' WHERE device_id = $1`,
    [tenant.deviceId],
  );
  await fixture().query('UPDATE accounts SET erasure_begun_at = now() WHERE id = $1', [tenant.accountId]);
  expect(await continueAccountErasure(fixture().database, tenant.accountId, { settlingMs: 0 })).toMatchObject({
    done: true,
  });
  expect(await conversations(tenant.deviceId)).toEqual([]);
  expect(await rows(tenant.deviceId)).toEqual([]);
  expect(await rows(other.deviceId)).toHaveLength(1);
});
