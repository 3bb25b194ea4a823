import { newId } from '@kurir/contracts';
import { expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { findEverywhere } from '../../test/find-everywhere.js';
import { ensurePerson } from '../accounts/people.js';
import { noteContacts } from '../devices/device-contacts.js';
import { ageOutContacts, ageOutSmallTables, ageOutUnlinked } from './age-out.js';

const fixture = useDatabaseFixture();
const { signal } = new AbortController();
const keptDays = 180;
const ageContacts = () => ageOutContacts(fixture().database, keptDays, signal);

const recipientsOf = async (deviceId: string) =>
  (
    await fixture().query<{ recipient: string }>(
      'SELECT recipient FROM device_contacts WHERE device_id = $1 ORDER BY recipient',
      [deviceId],
    )
  ).map(({ recipient }) => recipient);

const contact = (deviceId: string, recipient: string, seenDaysAgo: number) =>
  fixture().query(
    `INSERT INTO device_contacts (device_id, recipient, wrote_at, seen_at)
     VALUES ($1, $2, now() - interval '400 days', now() - make_interval(days => $3))`,
    [deviceId, recipient, seenDaysAgo],
  );

test('contacts without traffic go; one that is seen stays, however old it is', async () => {
  const { deviceId } = await fixture().tenant();
  await contact(deviceId, '628111', keptDays + 1);
  await contact(deviceId, '628222', keptDays - 1);
  await contact(deviceId, '628333', keptDays + 1);
  await noteContacts(fixture().database, [{ deviceId, recipient: '628333', direction: 'heard' }]);
  await ageContacts();
  expect(await recipientsOf(deviceId)).toEqual(['628222', '628333']);
  expect(await ageContacts()).toBe(0);
});

test('a contact that has been noted already is seen again after a day, and its first times stay', async () => {
  const { deviceId } = await fixture().tenant();
  await contact(deviceId, '628444', 100);
  await noteContacts(fixture().database, [{ deviceId, recipient: '628444', direction: 'wrote' }]);
  const [row] = await fixture().query(
    `SELECT seen_at > now() - interval '1 minute' AS seen, wrote_at < now() - interval '399 days' AS first
     FROM device_contacts WHERE device_id = $1`,
    [deviceId],
  );
  expect(row).toEqual({ seen: true, first: true });
});

test('an erased contact goes once it no longer counts for the limit, and so do contacts of no device', async () => {
  const { deviceId } = await fixture().tenant();
  await fixture().query(
    `INSERT INTO device_contacts (device_id, recipient, wrote_at)
     VALUES ($1, 'erased a', now() - interval '25 hours'), ($1, 'erased b', now() - interval '23 hours'), ('dev_none', '628', now())`,
    [deviceId],
  );
  await ageContacts();
  expect(await recipientsOf(deviceId)).toEqual(['erased b']);
  expect(await recipientsOf('dev_none')).toEqual([]);
});

test('a pass goes through more contacts than one batch has', async () => {
  const { deviceId } = await fixture().tenant();
  await fixture().query(
    `INSERT INTO device_contacts (device_id, recipient, seen_at)
     SELECT $1, '62' || n, now() - CASE WHEN n % 2 = 0 THEN interval '200 days' ELSE interval '0' END FROM generate_series(1, 5000) n`,
    [deviceId],
  );
  expect(await ageContacts()).toBe(2_500);
});

test('a device that was unlinked 30 days ago has no number, no contacts and no health; one of yesterday has', async () => {
  const [old, fresh] = [await fixture().tenant(), await fixture().tenant()];
  for (const [{ deviceId }, days, number] of [
    [old, 31, '62855500001'],
    [fresh, 1, '62855500002'],
  ] as const) {
    await noteContacts(fixture().database, [{ deviceId, recipient: `${number}9`, direction: 'wrote' }]);
    await fixture().query(`INSERT INTO device_health (device_id) VALUES ($1) ON CONFLICT DO NOTHING`, [deviceId]);
    await fixture().query(
      `UPDATE devices SET linked = false, desired_state = 'unlinked', state = 'banned', phone_number = $2,
         state_at = now() - make_interval(days => $3) WHERE id = $1`,
      [deviceId, number, days],
    );
  }
  expect(await ageOutUnlinked(fixture().database)).toBe(1);
  expect(await ageOutUnlinked(fixture().database)).toBe(0);
  expect(await findEverywhere(fixture(), '62855500001')).toEqual([]);
  expect(await fixture().query('SELECT 1 FROM device_health WHERE device_id = $1', [old.deviceId])).toEqual([]);
  expect(await findEverywhere(fixture(), '62855500002')).toHaveLength(2);
  expect(await fixture().query('SELECT state FROM devices WHERE id = $1', [old.deviceId])).toEqual([
    { state: 'banned' },
  ]);
});

test('ended sessions with their addresses, expired links, invitations, kept mails and versions go; the others stay', async () => {
  const { accountId } = await fixture().tenant();
  const email = `${newId('usr')}@example.com`;
  const userId = await ensurePerson(fixture().database, { email, name: 'n', passwordHash: 'x', isAdmin: false });
  const rows: readonly [table: string, columns: string, values: string][] = [
    ['sessions', 'id, user_id, token, ip_address, expires_at', `'NAME', '${userId}', 'NAME', '198.51.100.9', AT`],
    ['known_browsers', 'token_hash, user_id, last_used_at', `'NAME', '${userId}', AT - interval '180 days'`],
    ['verifications', 'id, identifier, value, expires_at', `'NAME', 'NAME', 'x', AT`],
    [
      'invitations',
      'id, account_id, email, role, token_hash, expires_at',
      `'NAME', '${accountId}', 'NAME', 'viewer', 'NAME', AT`,
    ],
    ['kept_mails', 'id, recipient, subject, text, created_at', `'NAME', 'r', 's', 't', AT - interval '6 days'`],
    ['whatsapp_versions', 'version, source, first_seen_at', `'NAME', 'web-client', AT - interval '399 days'`],
  ];
  const nameIn = (table: string, age: 'old' | 'new') =>
    table === 'whatsapp_versions' ? `2.3000.${age === 'old' ? 1_000_001 : 1_000_002}` : `${age} ${table}`;
  for (const [table, columns, values] of rows)
    for (const [name, at] of [
      [nameIn(table, 'old'), `now() - interval '25 hours'`],
      [nameIn(table, 'new'), `now() - interval '23 hours'`],
    ] as const)
      await fixture().query(
        `INSERT INTO ${table} (${columns}) VALUES (${values.replaceAll('NAME', name).replaceAll('AT', at)})`,
      );
  expect(await ageOutSmallTables(fixture().database, signal)).toBe(rows.length);
  for (const [table] of rows) {
    expect(await findEverywhere(fixture(), nameIn(table, 'old'))).toEqual([]);
    expect((await findEverywhere(fixture(), nameIn(table, 'new'))).length).toBeGreaterThan(0);
  }
  expect(await ageOutSmallTables(fixture().database, signal)).toBe(0);
});
