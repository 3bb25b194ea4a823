/** The accounts under attack, each with a limited plan, a key and linked devices; made once, kept over an interruption. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccountId, DeviceId } from '@kurir/contracts';
import {
  choosePlan,
  createAccount,
  createApiKey,
  createDevice,
  createPlan,
  createSealer,
  type Database,
  grantPeriod,
  listDevices,
  readChosenPlan,
  requestLink,
} from '@kurir/database';
import { makeApiKeyId, makeApiSecret, parseKey } from '@kurir/signing';
import { waitUntil } from '@kurir/testing';

export type Customer = {
  readonly accountId: AccountId;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly deviceIds: readonly DeviceId[];
};

export type Surroundings = {
  readonly database: Database;
  readonly simulatorUrl: string;
  readonly masterKey: string;
  readonly directory: string;
};

export type CustomerPlan = { readonly accounts: number; readonly devicesEach: number };

/** Never used up, and limited: taking quota and giving it back is part of what is attacked. */
const quota = 100_000_000;
const linkedWithinMs = 300_000;

async function subscribe(database: Database, accountId: AccountId, name: string): Promise<void> {
  const planId = await createPlan(database, { name, durationDays: 30, priceRupiah: 50_000, quota });
  await choosePlan(database, accountId, planId);
  const chosen = await readChosenPlan(database, accountId);
  if (chosen === null) throw new Error('the plan that was chosen is not there');
  await grantPeriod(database, accountId, chosen);
}

async function createCustomer(
  { database, masterKey }: Surroundings,
  index: number,
  devices: number,
): Promise<Customer> {
  const accountId = await createAccount(database, `customer ${index}`);
  await subscribe(database, accountId, `plan ${index}`);
  const [apiKey, apiSecret] = [makeApiKeyId('test'), makeApiSecret('test')];
  const key = { id: apiKey, secret: apiSecret, accountId, name: 'torture', scopes: [], allowedIps: [] };
  await createApiKey(database, createSealer(parseKey(masterKey)), key);
  const deviceIds: DeviceId[] = [];
  for (let i = 0; i < devices; i++) {
    const device = { accountId, name: `phone ${i}`, network: 'simulator', pacePerMinute: null };
    const deviceId = await createDevice(database, device);
    await requestLink(database, accountId, deviceId, { method: 'qr', phoneNumber: null });
    deviceIds.push(deviceId);
  }
  return { accountId, apiKey, apiSecret, deviceIds };
}

/** The number of the n-th device: possible, and on the network. */
const numberOf = (n: number) => `62812${String(n).padStart(7, '0')}1`;

async function scan(simulatorUrl: string, phone: string, code: string): Promise<void> {
  const answer = await fetch(`${simulatorUrl}/phones/${phone}/scan`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  // 404: the worker shows a newer code by now.
  if (!answer.ok && answer.status !== 404) throw new Error(`scan: ${answer.status} ${await answer.text()}`);
}

/** Lets phones scan the devices' codes as they appear; ends when all are connected. */
async function linkAll({ database, simulatorUrl }: Surroundings, customers: readonly Customer[]): Promise<void> {
  const order = customers.flatMap((customer) => customer.deviceIds);
  const scanned = new Set<string>();
  const scanNewCodes = async (): Promise<boolean> => {
    const views = (await Promise.all(customers.map(({ accountId }) => listDevices(database, accountId)))).flat();
    for (const { id, pairingCode } of views) {
      if (pairingCode === null || scanned.has(pairingCode)) continue;
      scanned.add(pairingCode);
      await scan(simulatorUrl, numberOf(order.indexOf(id)), pairingCode);
    }
    return views.every((view) => view.state === 'connected');
  };
  const what = `${order.length} devices are connected`;
  await waitUntil(scanNewCodes, { what, timeoutMs: linkedWithinMs, everyMs: 200 });
}

/** Those of an earlier, interrupted run in the same directory, or new ones. */
export async function openCustomers(surroundings: Surroundings, plan: CustomerPlan): Promise<Customer[]> {
  const path = join(surroundings.directory, 'customers.json');
  // Our own file.
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Customer[];
  const customers: Customer[] = [];
  for (let i = 0; i < plan.accounts; i++) customers.push(await createCustomer(surroundings, i, plan.devicesEach));
  await linkAll(surroundings, customers);
  writeFileSync(path, JSON.stringify(customers), { mode: 0o600 });
  return customers;
}
