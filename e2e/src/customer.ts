/** A customer of the gateway, made through the operator's command line as an operator would. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient, type KurirClient } from '@kurir/client';
import { newPhoneNumber } from './phone.js';

const run = promisify(execFile);
const adminProgram = fileURLToPath(new URL('../../apps/api/dist/admin.js', import.meta.url));

export type CustomerOptions = {
  /** Messages per period; unlimited when left out. */
  readonly quota?: number;
  readonly durationDays?: number;
  readonly devices?: number;
  readonly pacePerMinute?: number;
};

export type Customer = {
  readonly accountId: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** The first device; empty when there is none. */
  readonly deviceId: string;
  readonly deviceIds: readonly string[];
  readonly client: KurirClient;
  /** The same customer, sending through another of its devices. */
  withDevice(deviceId: string): Customer;
  /** Links one more device; answers its id. */
  addDevice(): Promise<string>;
};

export type Surroundings = { readonly baseUrl: string; readonly env: Readonly<Record<string, string>> };

/** Runs one operator's command and answers its JSON. */
export async function runAdmin(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Record<string, string>> {
  const { stdout } = await run(process.execPath, [adminProgram, ...args, '--json'], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'test', ...env },
  });
  // What the commands print is flat JSON with texts for ids, as their own tests hold.
  return JSON.parse(stdout) as Record<string, string>;
}

async function linkedDevice(
  env: Surroundings['env'],
  accountId: string,
  pacePerMinute: number | undefined,
): Promise<string> {
  const pace = pacePerMinute === undefined ? [] : ['--pace-per-minute', String(pacePerMinute)];
  const { device_id: deviceId = '' } = await runAdmin(env, ['device', 'create', accountId, 'phone', ...pace]);
  await runAdmin(env, ['device', 'link', deviceId, '--phone', newPhoneNumber()]);
  return deviceId;
}

let customers = 0;

type Key = Readonly<Record<string, string>>;

function customerOf(
  { baseUrl, env }: Surroundings,
  accountId: string,
  key: Key,
  deviceIds: readonly string[],
): Customer {
  const { api_key: apiKey = '', api_secret: apiSecret = '' } = key;
  function customerOn(deviceId: string): Customer {
    const client = createClient({ baseUrl, apiKey, apiSecret, deviceId });
    const addDevice = () => linkedDevice(env, accountId, undefined);
    return { accountId, apiKey, apiSecret, deviceId, deviceIds, client, withDevice: customerOn, addDevice };
  }
  return customerOn(deviceIds[0] ?? '');
}

/** An account with a key and nothing else. */
export async function createNewcomer(surroundings: Surroundings): Promise<Customer> {
  customers++;
  const { account_id: accountId = '' } = await runAdmin(surroundings.env, [
    'account',
    'create',
    `newcomer ${customers}`,
  ]);
  return customerOf(surroundings, accountId, await runAdmin(surroundings.env, ['key', 'create', accountId]), []);
}

/** What an operator does for a new customer; what does not depend on each other goes side by side. */
export async function createCustomer(surroundings: Surroundings, options: CustomerOptions = {}): Promise<Customer> {
  const { env } = surroundings;
  customers++;
  const quota = options.quota === undefined ? [] : ['--quota', String(options.quota)];
  const terms = ['--days', String(options.durationDays ?? 30), '--price', '50000', ...quota];
  const [account, plan] = await Promise.all([
    runAdmin(env, ['account', 'create', `customer ${customers}`]),
    runAdmin(env, ['plan', 'create', `plan ${customers}`, ...terms]),
  ]);
  const { account_id: accountId = '' } = account;
  const subscribe = async () => {
    await runAdmin(env, ['plan', 'choose', accountId, plan['plan_id'] ?? '']);
    await runAdmin(env, ['plan', 'grant', accountId]);
  };
  const [key, deviceIds] = await Promise.all([
    runAdmin(env, ['key', 'create', accountId]),
    Promise.all(
      Array.from({ length: options.devices ?? 1 }, () => linkedDevice(env, accountId, options.pacePerMinute)),
    ),
    subscribe(),
  ]);
  return customerOf(surroundings, accountId, key, deviceIds);
}
