/** Makes new accounts with everything that a request needs. */
import { type AccountId, type ApiKeyId, type DeviceId, newId, type Scope } from '@kurir/contracts';
import {
  createSealer,
  type ChosenPlan,
  choosePlan,
  createAccount,
  createApiKey,
  createDevice,
  createPlan,
  type Database,
  grantPeriod,
  readChosenPlan,
} from '@kurir/database';
import { type KeyMode, makeApiKeyId, makeApiSecret } from '@kurir/signing';
import { masterKey } from './test-api.js';

export type Key = { readonly id: ApiKeyId; readonly secret: string };
export type Customer = { readonly accountId: AccountId; readonly key: Key; readonly deviceId: DeviceId };

export async function createKey(
  database: Database,
  accountId: AccountId,
  limits: { readonly mode?: KeyMode; readonly scopes?: readonly Scope[]; readonly allowedIps?: readonly string[] } = {},
): Promise<Key> {
  const { mode = 'live', scopes = [], allowedIps = [] } = limits;
  const key = { id: makeApiKeyId(mode), secret: makeApiSecret(mode) };
  await createApiKey(database, createSealer(masterKey), { ...key, accountId, name: 'test', scopes, allowedIps });
  return key;
}

export async function createChosenPlan(
  database: Database,
  accountId: AccountId,
  quota: number | null = null,
): Promise<ChosenPlan> {
  const name = `Paket ${newId('pln').slice(-6)}`;
  await choosePlan(
    database,
    accountId,
    await createPlan(database, { name, durationDays: 30, priceRupiah: 150_000, quota }),
  );
  const plan = await readChosenPlan(database, accountId);
  if (plan === null) throw new Error('the plan was not chosen');
  return plan;
}

export const holder = 'wrk_test';

/** Writes the rows that a worker writes for a connected device. */
export async function setConnected(database: Database, deviceId: DeviceId): Promise<void> {
  await database.pool.query(
    `UPDATE devices SET linked = true, desired_state = 'linked', state = 'connected', last_connected_at = now() WHERE id = $1`,
    [deviceId],
  );
  await database.pool.query(
    `UPDATE device_leases SET owner = $2, epoch = 1, expires_at = now() + interval '1 hour' WHERE device_id = $1`,
    [deviceId, holder],
  );
}

export async function createConnectedDevice(database: Database, accountId: AccountId): Promise<DeviceId> {
  const deviceId = await createDevice(database, { accountId, name: 'test', network: 'simulator', pacePerMinute: null });
  await setConnected(database, deviceId);
  return deviceId;
}

/** Makes an account with a plan, an open period, a key and a connected device. */
export async function createCustomer(
  database: Database,
  options: { readonly quota?: number | null } = {},
): Promise<Customer> {
  const accountId = await createAccount(database, 'test');
  await grantPeriod(database, accountId, await createChosenPlan(database, accountId, options.quota ?? null));
  const key = await createKey(database, accountId);
  return { accountId, key, deviceId: await createConnectedDevice(database, accountId) };
}
