/** Makes the demo account: plans, a chosen plan, an open period, a key and a linked device. It keeps existing parts. */
import { hkdfSync, type KeyObject } from 'node:crypto';
import { type AccountId, defaultSandbox, isSandbox, isTestKey } from '@kurir/contracts';
import {
  addMember,
  choosePlan,
  createAccount,
  createApiKey,
  createDevice,
  createPlan,
  ensurePerson,
  grantPeriod,
  listAccounts,
  listApiKeys,
  listDevices,
  readAccountInfo,
  readChosenPlan,
  replacePasswordHash,
} from '@kurir/database';
import { makeApiKeyId, makeApiSecret } from '@kurir/signing';
import type { Command } from 'commander';
import { hashPassword, verifyPassword } from '../../sign-in/passwords/password-hash.js';
import { linkDevice } from './link-device.js';
import { needSimulator } from '../terminal/need-simulator.js';
import { type Admin, type OutputOptions, type Run } from '../terminal/run-command.js';
import type { Output } from '../terminal/show-rows.js';

const demoName = 'Demo';
const devicePhone = '6281200000001';
const recipients = ['6281234567890', '6281234567891', '6281234567892'];

const plans = [
  { name: 'Mini', durationDays: 1, priceRupiah: 10_000, quota: 1_000 },
  { name: 'Medium', durationDays: 30, priceRupiah: 50_000, quota: 10_000 },
  { name: 'Maxi', durationDays: 30, priceRupiah: 150_000, quota: null },
];
const chosenPlan = 'Maxi';

async function ensureAccount({ database }: Admin): Promise<AccountId> {
  const [account] = await listAccounts(database, demoName);
  return account?.id ?? (await createAccount(database, demoName));
}

async function ensurePeriod({ database }: Admin, accountId: AccountId): Promise<void> {
  for (const plan of plans) {
    const planId = await createPlan(database, plan);
    const isFirstChoice = plan.name === chosenPlan && (await readChosenPlan(database, accountId)) === null;
    if (isFirstChoice) await choosePlan(database, accountId, planId);
  }
  const info = await readAccountInfo(database, accountId);
  const chosen = await readChosenPlan(database, accountId);
  const isOpen = info !== null && info.endsAt.getTime() > Date.now();
  if (!isOpen && chosen !== null) await grantPeriod(database, accountId, chosen);
}

/** The secret is null if the key existed before, because a secret is shown only once. */
async function ensureKey(
  { database, sealer }: Admin,
  accountId: AccountId,
): Promise<{ id: string; secret: string | null }> {
  const keys = await listApiKeys(database, accountId);
  const isUsable = (key: (typeof keys)[number]) =>
    key.name === demoName && key.revokedAt === null && !isTestKey(key.id);
  const existing = keys.find(isUsable);
  if (existing !== undefined) return { id: existing.id, secret: null };
  const [id, secret] = [makeApiKeyId('live'), makeApiSecret('live')];
  await createApiKey(database, sealer, { id, secret, accountId, name: demoName, scopes: [], allowedIps: [] });
  return { id, secret };
}

async function ensureDevice(admin: Admin, accountId: AccountId): Promise<string> {
  const devices = await listDevices(admin.database, accountId);
  const existing = devices.find((device) => device.name === demoName && isSandbox(device.network));
  const wanted = { accountId, name: demoName, network: defaultSandbox };
  const deviceId = existing?.id ?? (await createDevice(admin.database, wanted));
  await linkDevice(admin, { accountId, deviceId }, { method: 'qr', phone: devicePhone });
  return deviceId;
}

const demoEmail = 'demo@example.com';

/** Derived from the master key, so that each installation has its own and can show it again. */
const demoPassword = (masterKey: KeyObject): string =>
  Buffer.from(hkdfSync('sha256', masterKey, '', 'kurir/demo/password/v1', 12)).toString('base64url');

/**
 * Makes a person who owns the account and is an operator, until `operator remove`. While the master key is changed, the
 * password moves to the new key, unless the person has another one.
 */
async function ensureSignIn({ database, masterKeys }: Admin, accountId: AccountId) {
  const [password = '', ...earlier] = masterKeys.map(demoPassword);
  const passwordHash = await hashPassword(password);
  const userId = await ensurePerson(database, { email: demoEmail, name: demoName, passwordHash, isAdmin: true });
  for (const old of earlier)
    await replacePasswordHash(database, userId, passwordHash, (hash) => verifyPassword({ hash, password: old }));
  await addMember(database, accountId, userId, 'owner');
  return { email: demoEmail, password };
}

async function demo(admin: Admin): Promise<Output> {
  needSimulator(admin, 'or do without the demo (with Docker: docker compose up -d, without docker/demo.yml)');
  const accountId = await ensureAccount(admin);
  await ensurePeriod(admin, accountId);
  const signIn = await ensureSignIn(admin, accountId);
  const deviceId = await ensureDevice(admin, accountId);
  // The key comes last: its secret is shown once, so nothing may fail between making and printing it.
  const key = await ensureKey(admin, accountId);
  return {
    account_id: accountId,
    api_key: key.id,
    api_secret: key.secret,
    device_id: deviceId,
    phones: recipients,
    sign_in_email: signIn.email,
    sign_in_password: signIn.password,
  };
}

export function addDemoCommand(program: Command, run: Run): void {
  program
    .command('demo')
    .description('create a demo account with a key and a linked device, or show the existing one')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) => run(options, demo));
}
