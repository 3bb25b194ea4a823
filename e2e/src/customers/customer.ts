/**
 * A customer of the gateway. The account, its plan and its key are written into the database, because the admin command
 * would start a process for each. The devices are created and linked through the api, as a customer does it.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient, type KurirClient } from '@kurir/client';
import type { AccountId, Scope } from '@kurir/contracts';
import {
  choosePlan,
  createAccount,
  createApiKey,
  createPlan,
  createSealer,
  type Database,
  grantPeriod,
  openDatabase,
  readChosenPlan,
} from '@kurir/database';
import { makeApiKeyId, makeApiSecret, parseKey } from '@kurir/signing';
import { waitUntil } from '@kurir/testing';
import { newPhoneNumber } from '../phones/phone.js';

const run = promisify(execFile);
const adminProgram = fileURLToPath(new URL('../../../apps/api/dist/admin.js', import.meta.url));

export type CustomerOptions = {
  /** Messages per period; unlimited by default. */
  readonly quota?: number;
  readonly durationDays?: number;
  readonly devices?: number;
  readonly pacePerMinute?: number;
};

export type Customer = {
  readonly accountId: AccountId;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** The first device; empty if there is none. */
  readonly deviceId: string;
  readonly deviceIds: readonly string[];
  readonly client: KurirClient;
  /** The same customer with another device for its messages. */
  withDevice(deviceId: string): Customer;
  /** Links one more device and returns its id. */
  addDevice(): Promise<string>;
};

export type Surroundings = { readonly baseUrl: string; readonly env: Readonly<Record<string, string>> };

/** Runs one admin command and returns its JSON. */
export async function runAdmin(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Record<string, string>> {
  const { stdout } = await run(process.execPath, [adminProgram, ...args, '--json'], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'test', ...env },
  });
  // The commands print flat JSON with strings as ids. Their own tests check that.
  return JSON.parse(stdout) as Record<string, string>;
}

/** Only a deadline: other tests may keep the machine busy. */
const linkedWithinMs = 120_000;

/** Creates a device of the simulated network, lets a new phone scan its code, and waits until it is connected. */
async function linkedDevice(env: Surroundings['env'], customer: Customer, pacePerMinute?: number): Promise<string> {
  const pace = pacePerMinute === undefined ? {} : { pacePerMinute };
  const { deviceId } = await customer.client.createDevice({ name: 'phone', network: 'simulator', ...pace });
  const { client } = customer.withDevice(deviceId);
  await client.linkDevice();
  const phone = newPhoneNumber();
  let scanned: string | null = null;
  await waitUntil(
    async () => {
      const device = (await client.listDevices()).devices.find((one) => one.deviceId === deviceId);
      const code = device?.pairing?.code ?? null;
      if (code !== null && code !== scanned) scanned = await scan(env, phone, code);
      return device?.state === 'connected';
    },
    { what: `the device ${deviceId} is connected`, timeoutMs: linkedWithinMs },
  );
  return deviceId;
}

/** Returns the code, or null if the worker has already replaced it. */
async function scan(env: Surroundings['env'], phone: string, code: string): Promise<string | null> {
  const answer = await fetch(`${env['KURIR_SIMULATOR_URL']}/phones/${phone}/scan`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  await answer.body?.cancel();
  return answer.ok ? code : null;
}

let customers = 0;

async function withDatabase<T>({ env }: Surroundings, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({ url: env['DATABASE_URL'] ?? '', poolSize: 2 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Creates a key of the account. A key without scopes may do everything. */
async function addKey({ env }: Surroundings, database: Database, accountId: AccountId, scopes: readonly Scope[] = []) {
  const [apiKey, apiSecret] = [makeApiKeyId('live'), makeApiSecret('live')];
  const key = { id: apiKey, secret: apiSecret, accountId, name: 'e2e', scopes, allowedIps: [] };
  await createApiKey(database, createSealer(parseKey(env['KURIR_MASTER_KEY'] ?? '')), key);
  return { accountId, apiKey, apiSecret };
}

/** The same customer with a key that has only this scope. */
export async function withScope(surroundings: Surroundings, customer: Customer, scope: Scope): Promise<Customer> {
  const key = await withDatabase(surroundings, (database) =>
    addKey(surroundings, database, customer.accountId, [scope]),
  );
  return { ...customer, ...key };
}

async function openAccount(surroundings: Surroundings, database: Database, name: string) {
  return addKey(surroundings, database, await createAccount(database, name));
}

async function subscribe(database: Database, accountId: AccountId, name: string, options: CustomerOptions) {
  const { durationDays = 30, quota = null } = options;
  const planId = await createPlan(database, { name, durationDays, priceRupiah: 50_000, quota });
  await choosePlan(database, accountId, planId);
  const plan = await readChosenPlan(database, accountId);
  if (plan === null) throw new Error('the plan that was chosen is not there');
  await grantPeriod(database, accountId, plan);
}

type Account = Pick<Customer, 'accountId' | 'apiKey' | 'apiSecret'>;

function customerOf({ baseUrl, env }: Surroundings, account: Account, deviceIds: readonly string[]): Customer {
  function customerOn(deviceId: string): Customer {
    const { apiKey, apiSecret } = account;
    const client = createClient({ baseUrl, apiKey, apiSecret, deviceId });
    const addDevice = () => linkedDevice(env, customer);
    const customer = { ...account, deviceId, deviceIds, client, withDevice: customerOn, addDevice };
    return customer;
  }
  return customerOn(deviceIds[0] ?? '');
}

/** Creates an account with a key and nothing else. */
export async function createNewcomer(surroundings: Surroundings): Promise<Customer> {
  customers++;
  const name = `newcomer ${customers}`;
  const account = await withDatabase(surroundings, (database) => openAccount(surroundings, database, name));
  return customerOf(surroundings, account, []);
}

/** Creates an account with a key, an open period and linked devices. */
export async function createCustomer(surroundings: Surroundings, options: CustomerOptions = {}): Promise<Customer> {
  customers++;
  const number = customers;
  const account = await withDatabase(surroundings, async (database) => {
    const opened = await openAccount(surroundings, database, `customer ${number}`);
    await subscribe(database, opened.accountId, `plan ${number}`, options);
    return opened;
  });
  const customer = customerOf(surroundings, account, []);
  const links = Array.from({ length: options.devices ?? 1 }, () =>
    linkedDevice(surroundings.env, customer, options.pacePerMinute),
  );
  return customerOf(surroundings, account, await Promise.all(links));
}
