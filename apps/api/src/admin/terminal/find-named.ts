/** Finds accounts and plans by id or name, and devices and keys by id. Throws a `CommandError` if there is none. */
import { type AccountId, type ApiKeyId, type DeviceId, isDeviceId } from '@kurir/contracts';
import {
  type Database,
  findDeviceAccount,
  findKeyAccount,
  listAccounts,
  listPlans,
  type PlanRow,
} from '@kurir/database';
import { CommandError } from './command-error.js';

export async function findAccount(database: Database, idOrName: string): Promise<AccountId> {
  const accounts = await listAccounts(database);
  const found = accounts.filter((account) => account.id === idOrName || account.name === idOrName);
  const [account] = found;
  if (account === undefined) throw new CommandError(`There is no account ${idOrName}. See: account list`);
  if (found.length > 1)
    throw new CommandError(`Several accounts are called ${idOrName}. Give the id. See: account list`);
  return account.id;
}

export async function findPlan(database: Database, idOrName: string): Promise<PlanRow> {
  const plans = await listPlans(database);
  const plan = plans.find((candidate) => candidate.planId === idOrName || candidate.name === idOrName);
  if (plan === undefined) throw new CommandError(`There is no plan ${idOrName}. See: plan list`);
  return plan;
}

export type OwnDevice = { readonly accountId: AccountId; readonly deviceId: DeviceId };

export async function findDevice(database: Database, id: string): Promise<OwnDevice> {
  const accountId = isDeviceId(id) ? await findDeviceAccount(database, id) : null;
  if (!isDeviceId(id) || accountId === null) throw new CommandError(`There is no device ${id}. See: device list`);
  return { accountId, deviceId: id };
}

export type OwnKey = { readonly accountId: AccountId; readonly id: ApiKeyId };

export async function findKey(database: Database, id: string): Promise<OwnKey> {
  const accountId = await findKeyAccount(database, id);
  if (accountId === null) throw new CommandError(`There is no key ${id}. See: key list`);
  // findKeyAccount found this id among the keys.
  return { accountId, id: id as ApiKeyId };
}
