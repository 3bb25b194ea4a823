/**
 * The accounts under attack, each with a limited plan, a key and linked devices. A resumed run uses the same accounts.
 */
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
import { type DevicePlan, isPolite, numberOfDevice, politenessOf, regularsOf } from '../plan/device-plan.js';

export type AttackedAccount = {
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

/** The quota is never used up, but it is limited, because the attack tests that quota is taken and given back. */
const quota = 100_000_000;
const linkedWithinMs = 300_000;
const heardWithinMs = 300_000;

async function subscribe(database: Database, accountId: AccountId, name: string): Promise<void> {
  const planId = await createPlan(database, { name, durationDays: 30, priceRupiah: 50_000, quota });
  await choosePlan(database, accountId, planId);
  const chosen = await readChosenPlan(database, accountId);
  if (chosen === null) throw new Error('the plan that was chosen is not there');
  await grantPeriod(database, accountId, chosen);
}

async function createAttackedAccount(
  { database, masterKey }: Surroundings,
  index: number,
  devicePlan: DevicePlan,
): Promise<AttackedAccount> {
  const accountId = await createAccount(database, `account ${index}`);
  await subscribe(database, accountId, `plan ${index}`);
  const [apiKey, apiSecret] = [makeApiKeyId('live'), makeApiSecret('live')];
  const key = { id: apiKey, secret: apiSecret, accountId, name: 'torture', scopes: [], allowedIps: [] };
  await createApiKey(database, createSealer(parseKey(masterKey)), key);
  const deviceIds: DeviceId[] = [];
  for (let i = 0; i < devicePlan.devicesEach; i++) {
    const device = { accountId, name: `phone ${i}`, network: 'simulator' } as const;
    const deviceId = await createDevice(database, { ...device, ...politenessOf(devicePlan, index, i) });
    await requestLink(database, accountId, deviceId, { method: 'qr', phoneNumber: null });
    deviceIds.push(deviceId);
  }
  return { accountId, apiKey, apiSecret, deviceIds };
}

function askPhone(simulatorUrl: string, phone: string, what: 'scan' | 'messages', body: object): Promise<Response> {
  return fetch(`${simulatorUrl}/phones/${phone}/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function scan(simulatorUrl: string, phone: string, code: string): Promise<void> {
  const answer = await askPhone(simulatorUrl, phone, 'scan', { code });
  // The worker has already replaced a code that gets 404.
  if (!answer.ok && answer.status !== 404) throw new Error(`scan: ${answer.status} ${await answer.text()}`);
}

/** Lets phones scan the devices' codes as they appear. Resolves when all devices are connected. */
async function linkAll({ database, simulatorUrl }: Surroundings, accounts: readonly AttackedAccount[]): Promise<void> {
  const order = accounts.flatMap((account) => account.deviceIds);
  const scanned = new Set<string>();
  const scanNewCodes = async (): Promise<boolean> => {
    const views = (await Promise.all(accounts.map(({ accountId }) => listDevices(database, accountId)))).flat();
    for (const { id, pairingCode } of views) {
      if (pairingCode === null || scanned.has(pairingCode)) continue;
      scanned.add(pairingCode);
      await scan(simulatorUrl, numberOfDevice(order.indexOf(id)), pairingCode);
    }
    return views.every((view) => view.state === 'connected');
  };
  const what = `${order.length} devices are connected`;
  await waitUntil(scanNewCodes, { what, timeoutMs: linkedWithinMs, everyMs: 200 });
}

/** Lets the regular recipients of polite devices write first, so that no limit on new contacts affects them. */
async function letRegularsWrite({ database, simulatorUrl }: Surroundings, devicePlan: DevicePlan): Promise<void> {
  const devices = Array.from({ length: devicePlan.accounts * devicePlan.devicesEach }, (_, i) => i);
  const polite = devices.filter((i) => isPolite(devicePlan, i % devicePlan.devicesEach));
  const letters = polite.flatMap((i) => regularsOf(i).map((from) => ({ from, to: numberOfDevice(i) })));
  for (const { from, to } of letters) {
    const answer = await askPhone(simulatorUrl, from, 'messages', { to, text: 'Halo' });
    if (!answer.ok) throw new Error(`writing first: ${answer.status} ${await answer.text()}`);
  }
  const areNoted = async () => {
    const { rows } = await database.pool.query('SELECT 1 FROM device_contacts WHERE heard_at IS NOT NULL');
    return rows.length === letters.length;
  };
  const what = `${letters.length} people who wrote first are noted`;
  await waitUntil(areNoted, { what, timeoutMs: heardWithinMs, everyMs: 100 });
}

/** Returns the accounts of the interrupted run in the same directory, or creates new ones. */
export async function openAttackedAccounts(
  surroundings: Surroundings,
  devicePlan: DevicePlan,
): Promise<AttackedAccount[]> {
  const path = join(surroundings.directory, 'accounts.json');
  // This program wrote the file.
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as AttackedAccount[];
  const accounts: AttackedAccount[] = [];
  for (let i = 0; i < devicePlan.accounts; i++) accounts.push(await createAttackedAccount(surroundings, i, devicePlan));
  await linkAll(surroundings, accounts);
  await letRegularsWrite(surroundings, devicePlan);
  writeFileSync(path, JSON.stringify(accounts), { mode: 0o600 });
  return accounts;
}
