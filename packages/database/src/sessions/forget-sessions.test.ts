import type { Network } from '@kurir/contracts';
import { expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { createAccount } from '../accounts/accounts.js';
import { createDevice } from '../devices/create-device.js';
import { requestLink } from '../devices/devices.js';
import { eraseCredentialKinds, LeaseLost } from './credentials.js';
import { readIntents } from './device-session.js';
import { writeLinked } from './write-linked.js';
import { requestForgetSessions, writeSessionsForgotten } from './forget-sessions.js';
import type { LeaseToken } from './lease-token.js';
import { releaseLeases, takeLeases } from './leases.js';

const fixture = useDatabaseFixture();

type Account = Awaited<ReturnType<typeof createAccount>>;

async function newDevice(accountId: Account, network: Network = 'simulator'): Promise<LeaseToken['deviceId']> {
  return createDevice(fixture().database, { accountId, name: 'd', network, pacePerMinute: null });
}

async function linked(accountId: Account, network?: Network): Promise<LeaseToken> {
  const { database } = fixture();
  const deviceId = await newDevice(accountId, network);
  await requestLink(database, accountId, deviceId, { method: 'qr', phoneNumber: null });
  const lease = (await takeLeases(database, 'wrk_a', 0, 1_000, 1_000)).find((each) => each.deviceId === deviceId);
  if (lease === undefined) throw new Error('the device was not taken');
  const holder = { ...lease, owner: 'wrk_a' };
  await writeLinked(database, holder, '6281234567890');
  return holder;
}

async function askedAt({ deviceId }: Pick<LeaseToken, 'deviceId'>): Promise<Date | null> {
  return (await readIntents(fixture().database, [deviceId]))[0]?.forgetSessionsAt ?? null;
}

test('one device, an account or a network is asked, but only linked devices', async () => {
  const { database } = fixture();
  const [mine, other] = [await createAccount(database, 'mine'), await createAccount(database, 'other')];
  const first = await linked(mine, 'whatsapp');
  const second = await linked(mine, 'simulator');
  const third = await linked(other, 'whatsapp');
  const unlinked = await newDevice(mine, 'whatsapp');
  const asked = async (choice: Parameters<typeof requestForgetSessions>[1]) =>
    (await requestForgetSessions(database, choice)).map(({ deviceId }) => deviceId).toSorted();
  const ids = (...holders: LeaseToken[]) => holders.map(({ deviceId }) => deviceId).toSorted();
  expect(await asked({ deviceId: first.deviceId })).toEqual(ids(first));
  expect([await askedAt(first), await askedAt(second)]).toEqual([expect.any(Date), null]);
  expect(await asked({ accountId: mine })).toEqual(ids(first, second));
  expect(await asked({ network: 'whatsapp' })).toEqual(ids(first, third));
  expect(await asked({ deviceId: unlinked })).toEqual([]);
});

test('a request that is done is cleared, unless an operator has asked again in the meantime', async () => {
  const { database } = fixture();
  const holder = await linked(await createAccount(database, 'test'));
  const ask = () => requestForgetSessions(database, { deviceId: holder.deviceId });
  const done = async (at: Date | null) => writeSessionsForgotten(database, holder, at ?? new Date());
  await ask();
  const first = await askedAt(holder);
  await fixture().database.pool.query(
    `UPDATE devices SET forget_sessions_at = forget_sessions_at + interval '1 second' WHERE id = $1`,
    [holder.deviceId],
  );
  expect(await done(first)).toBe(true);
  const second = await askedAt(holder);
  expect(second).not.toBeNull();
  expect(await done(second)).toBe(true);
  expect(await askedAt(holder)).toBeNull();
  expect(await done(second)).toBe(true);
});

test('a worker that lost the lease neither erases credentials nor clears the request', async () => {
  const { database } = fixture();
  const holder = await linked(await createAccount(database, 'test'));
  await fixture().database.pool.query(
    `INSERT INTO device_credentials (device_id, kind, id, sealed, epoch) VALUES ($1, 'session', 'a', '', 1)`,
    [holder.deviceId],
  );
  await requestForgetSessions(database, { deviceId: holder.deviceId });
  await releaseLeases(database, [holder]);
  await expect(eraseCredentialKinds(database, holder, ['session'])).rejects.toThrow(LeaseLost);
  expect(await writeSessionsForgotten(database, holder, new Date())).toBe(false);
  expect(await askedAt(holder)).toEqual(expect.any(Date));
  expect(await rowsOf(holder)).toEqual({ session: 1 });
});

async function rowsOf({ deviceId }: LeaseToken): Promise<Record<string, number>> {
  const { rows } = await fixture().database.pool.query<{ kind: string; n: number }>(
    'SELECT kind, count(*)::int AS n FROM device_credentials WHERE device_id = $1 GROUP BY kind',
    [deviceId],
  );
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]));
}

test('all rows of the kinds are deleted, also many of them, and only those of this device', async () => {
  const { database } = fixture();
  const accountId = await createAccount(database, 'test');
  const [holder, other] = [await linked(accountId), await linked(accountId)];
  await fixture().database.pool.query(
    `INSERT INTO device_credentials (device_id, kind, id, sealed, epoch)
     SELECT d, k, n::text, '', 1 FROM unnest($1::text[]) d, unnest(ARRAY['session', 'identity-key', 'login']) k,
       generate_series(1, 4000) n`,
    [[holder.deviceId, other.deviceId]],
  );
  await eraseCredentialKinds(database, holder, ['session', 'identity-key']);
  expect(await rowsOf(holder)).toEqual({ login: 4_000 });
  expect(await rowsOf(other)).toEqual({ session: 4_000, 'identity-key': 4_000, login: 4_000 });
  await eraseCredentialKinds(database, holder, ['session']);
});
