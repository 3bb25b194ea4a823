/** Runs the admin commands on a real database, with a fake worker and fake phones. */
import { isDeviceId, isRecipientNumber, newId } from '@kurir/contracts';
import {
  createSealer,
  openRenewal,
  readApiKey,
  readAudit,
  readCheapestPlan,
  readIntents,
  settleRenewal,
} from '@kurir/database';
import { startProgram, stopAllPrograms } from '@kurir/testing';
import { Browser } from '../test/person.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAdmin } from './admin/run-admin.js';
import { createCustomer } from '../test/customer-fixture.js';
import { type FakeWorker, startFakeWorker } from '../test/fake-worker.js';
import { aMessage, call } from '../test/signed-request.js';
import { masterKey, startTestApi, type TestApi } from '../test/test-api.js';

let t: TestApi;
let worker: FakeWorker;
beforeAll(async () => {
  t = await startTestApi();
  worker = await startFakeWorker(t.database);
});
afterAll(async () => {
  await stopAllPrograms();
  await worker.close();
  await t.close();
});

const environment = () => ({
  DATABASE_URL: t.settings.DATABASE_URL,
  KURIR_MASTER_KEY: Buffer.alloc(32, 'm').toString('base64'),
  KURIR_SIMULATOR_URL: worker.simulatorUrl,
});

/** Runs a command in this process, because that is quick. One test starts the program itself. */
async function admin(args: readonly string[], more: Record<string, string | undefined> = {}) {
  const lines: string[] = [];
  const say = (text: string) => void lines.push(text);
  const code = await runAdmin(args, { environment: { ...environment(), ...more }, print: say, say });
  return { code, text: lines.join('\n') };
}

/** Returns the JSON that a command prints. */
async function answer(...args: string[]): Promise<Record<string, unknown>> {
  const { code, text } = await admin([...args, '--json']);
  expect(code, text).toBe(0);
  return JSON.parse(text) as Record<string, unknown>;
}

test('demo makes everything for a first message, and a second run shows it again without the secret', async () => {
  const first = await answer('demo');
  expect(first).toEqual({
    account_id: expect.stringMatching(/^acc_/),
    api_key: expect.stringMatching(/^kk_live_/),
    api_secret: expect.stringMatching(/^ks_live_/),
    device_id: expect.stringMatching(/^dev_/),
    phones: expect.any(Array),
    sign_in_email: 'demo@example.com',
    sign_in_password: expect.stringMatching(/^[\w-]{16}$/),
  });
  const signIn = { email: first['sign_in_email'], password: first['sign_in_password'] };
  expect((await new Browser(t.url).auth('/sign-in/email', signIn)).status).toBe(200);
  const phones = first['phones'] as string[];
  expect(phones.every((phone) => isRecipientNumber(phone) && !phone.endsWith('0000'))).toBe(true);
  expect(await answer('demo')).toEqual({ ...first, api_secret: null });

  const deviceId = String(first['device_id']);
  if (!isDeviceId(deviceId)) throw new Error('no device');
  const customer = {
    accountId: 'acc_demo',
    key: { id: 'kk_test_x', secret: String(first['api_secret']) },
    deviceId,
  } as const;
  const key = await readApiKey(t.database, createSealer(masterKey), String(first['api_key']));
  if (key === null) throw new Error('no key');
  const sent = await call(t.url, { ...customer, key: { ...customer.key, id: key.id } }, 'sendMessage', {
    body: aMessage,
  });
  expect(sent.status).toBe(200);
});

test('commands make an account, a plan, a key and a device, and link and unlink the device', async () => {
  const { account_id: account } = await answer('account', 'create', 'Toko Kopi');
  const id = String(account);
  await answer('plan', 'create', 'Kopi', '--days', '7', '--price', '25000', '--quota', '50');
  await answer('plan', 'choose', 'Toko Kopi', 'Kopi');
  expect(await answer('plan', 'grant', id)).toEqual({ account_id: id, plan: 'Kopi', days: 7, quota: '50' });
  const { device_id: device } = await answer('device', 'create', id, 'Kasir');
  const polite = ['--network', 'whatsapp', '--new-contacts-per-day', 'none', '--typing-ms', '500'];
  const { device_id: politeDevice } = await answer('device', 'create', id, 'Toko', ...polite);
  const { rows } = await t.database.pool.query('SELECT * FROM devices WHERE id = $1', [politeDevice]);
  expect(rows).toMatchObject([{ pace_per_minute: 20, new_contacts_per_day: null, typing_ms: 500 }]);
  const linked = await answer('device', 'link', String(device), '--phone', '6281200000055', '--method', 'pairing_code');
  expect(linked).toEqual({ device_id: device, state: 'connected' });
  expect(worker.scans).toContain('/phones/6281200000055/pair');
  expect((await admin(['device', 'link', String(device), '--phone', '6281200000055'])).text).toMatch(/linked already/);
  expect((await admin(['device', 'list', id])).text).toMatch(/Kasir +simulator +connected/);
  expect(await answer('device', 'unlink', String(device))).toEqual({ device_id: device, state: 'disconnected' });
});

test('forget-sessions takes a device, an account or a network, and skips devices that are not linked', async () => {
  const customer = await createCustomer(t.database);
  const { accountId, deviceId } = customer;
  const expected = { device_id: deviceId, account_id: accountId, network: 'simulator' };
  const isAsked = async () => (await readIntents(t.database, [deviceId]))[0]?.forgetSessionsAt;
  expect(await isAsked()).toBeNull();
  expect(await answer('device', 'forget-sessions', deviceId)).toMatchObject([expected]);
  expect(await isAsked()).toEqual(expect.any(Date));
  expect(await answer('device', 'forget-sessions', '--account', accountId)).toMatchObject([expected]);
  const ofNetwork = await answer('device', 'forget-sessions', '--network', 'simulator');
  expect(ofNetwork).toContainEqual(expect.objectContaining({ device_id: deviceId }));
  const audit = await readAudit(t.database, accountId, { limit: 10, cursor: null });
  expect(audit.entries[0]).toMatchObject({ action: 'device.forget_sessions_requested', subject: deviceId });
  expect(await answer('device', 'forget-sessions', '--network', 'none')).toEqual([]);
  const { device_id: unlinked } = await answer('device', 'create', accountId, 'Kasir');
  const none = await admin(['device', 'forget-sessions', String(unlinked)]);
  expect([none.code, none.text]).toEqual([1, expect.stringContaining('nothing to forget')]);
});

test('a rotated key works with both secrets, and a revoked key with none', async () => {
  const customer = await createCustomer(t.database);
  const { api_secret: secret } = await answer('key', 'rotate', customer.key.id);
  expect((await call(t.url, customer, 'accountInfo')).status).toBe(200);
  const renewed = { ...customer, key: { ...customer.key, secret: String(secret) } };
  expect((await call(t.url, renewed, 'accountInfo')).status).toBe(200);
  await t.api.usedSecrets.close();
  const [listed] = (await answer('key', 'list', customer.accountId)) as unknown as Record<string, unknown>[];
  expect(listed).toMatchObject({ old_secret_last_used_at: expect.any(String), last_used_at: expect.any(String) });
  expect(JSON.stringify(listed)).not.toContain('ks_test');
  await answer('key', 'revoke', customer.key.id);
  expect((await admin(['key', 'revoke', customer.key.id])).text).toMatch(/revoked before/);
  expect((await admin(['key', 'rotate', customer.key.id])).code).toBe(1);
});

test('ledger list shows one account, or only the payments that bought nothing', async () => {
  const { accountId } = await createCustomer(t.database);
  const plan = await readCheapestPlan(t.database);
  if (plan === null) throw new Error('there is no plan');
  const renewal = await openRenewal(
    t.database,
    accountId,
    plan,
    { method: 'ordinary', clientRef: null },
    async () => 'https://pay.example',
    newId('req'),
  );
  const payment = { renewalId: renewal.id, provider: 'bank', amountRupiah: plan.priceRupiah };
  await settleRenewal(t.database, { ...payment, providerPayment: `a-${renewal.id}` });
  await settleRenewal(t.database, { ...payment, providerPayment: `b-${renewal.id}` });
  const all = (await answer('ledger', 'list', accountId)) as unknown as Record<string, unknown>[];
  expect(all.map((entry) => entry['kind']).sort()).toEqual(['charge', 'payment', 'payment']);
  expect(await answer('ledger', 'list', accountId, '--unbought')).toEqual([
    {
      at: expect.any(String),
      account_id: accountId,
      renewal_id: renewal.id,
      kind: 'payment',
      amount: plan.priceRupiah,
      provider: 'bank',
      payment_id: `b-${renewal.id}`,
      bought: false,
      returned: false,
    },
  ]);
  expect((await admin(['ledger', 'list', 'nobody'])).code).toBe(1);
});

test('the exit code is 2 after misuse, 1 after a failure and 0 after help, and the output says why', async () => {
  const expected: readonly [readonly string[], number][] = [
    [[], 2],
    [['nonsense'], 2],
    [['--help'], 0],
    [['device', 'link', '--help'], 0],
    [['device', 'create', 'x', 'y', '--pace-per-minute', '601'], 2],
    [['device', 'create', 'x', 'y', '--pace-jitter-ms', 'none'], 2],
    [['account', 'create'], 2],
    [['account', 'create', '  '], 2],
    [['plan', 'create', 'X', '--days', '0', '--price', '1'], 2],
    [['plan', 'create', 'X', '--days', '1', '--price', '1.5'], 2],
    [['device', 'link', 'dev_none', '--phone', '0812'], 2],
    [['key', 'create', 'nobody', '--scope', 'everything'], 2],
    [['key', 'create', 'nobody', '--allow-ip', 'home'], 2],
    [['device', 'forget-sessions'], 2],
    [['device', 'forget-sessions', 'dev_none', '--network', 'whatsapp'], 2],
    [['device', 'forget-sessions', 'dev_none'], 1],
    [['key', 'create', 'nobody'], 1],
    [['plan', 'choose', 'nobody', 'nothing'], 1],
    [['device', 'link', 'dev_none', '--phone', '6281234567890'], 1],
    [['key', 'revoke', 'kk_live_none'], 1],
  ];
  const ended = await Promise.all(expected.map(async ([args]) => ({ args, ...(await admin(args)) })));
  expect(ended.map(({ args, code }) => [args, code])).toEqual(expected);
  for (const { text } of ended) {
    expect(text).toMatch(/\S/);
    expect(text).not.toContain('    at ');
  }
});

test('missing settings and an unreachable database give a plain message', async () => {
  const missing = await admin(['account', 'list'], { DATABASE_URL: '' });
  expect([missing.code, missing.text]).toEqual([1, expect.stringContaining('DATABASE_URL is missing')]);
  const away = await admin(['account', 'list'], { DATABASE_URL: 'postgresql://127.0.0.1:1/x' });
  expect([away.code, away.text]).toEqual([1, 'The database does not answer. Check DATABASE_URL.']);
});

test('the program prints its output only on standard output, and exits with the code', async () => {
  const program = await startProgram({
    path: 'apps/api/dist/admin.js',
    args: ['plan', 'list', '--json'],
    env: environment(),
  });
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(JSON.parse(program.lines.join('\n'))).toEqual(expect.any(Array));
  const misused = await startProgram({ path: 'apps/api/dist/admin.js', args: ['nonsense'], env: environment() });
  expect(await misused.exited).toEqual({ code: 2, signal: null });
});

test('without a simulated network, the demo and a simulated device are refused with advice', async () => {
  const { accountId } = await createCustomer(t.database);
  const counts = async () =>
    (
      await t.database.pool.query(
        `SELECT (SELECT count(*) FROM devices) AS devices, (SELECT count(*) FROM subscription_periods) AS periods,
           (SELECT count(*) FROM plans) AS plans, (SELECT count(*) FROM users WHERE is_admin) AS operators`,
      )
    ).rows;
  const before = await counts();
  const without = { KURIR_SIMULATOR_URL: undefined };
  const demo = await admin(['demo'], without);
  expect([demo.code, demo.text]).toEqual([
    1,
    expect.stringMatching(/Set KURIR_SIMULATOR_URL.*without docker\/demo\.yml/),
  ]);
  const device = await admin(['device', 'create', accountId, 'Kasir'], without);
  expect([device.code, device.text]).toEqual([1, expect.stringMatching(/Set KURIR_SIMULATOR_URL.*--network whatsapp/)]);
  expect(await counts()).toEqual(before);
  expect((await admin(['device', 'create', accountId, 'Kasir', '--network', 'whatsapp'], without)).code).toBe(0);
});

const operators = async () =>
  (await t.database.pool.query<{ email: string }>('SELECT email FROM users WHERE is_admin')).rows;

test('operator add and operator remove take the address that a person signs in with', async () => {
  await answer('demo');
  const ended = await answer('operator', 'remove', 'demo@example.com');
  expect(ended).toMatchObject({ operator: false });
  await answer('demo');
  expect(await operators()).toEqual([]);
  expect(await answer('operator', 'add', 'DEMO@example.com')).toMatchObject({ operator: true });
  expect((await admin(['operator', 'add', 'nobody@example.com'])).code).toBe(1);
});

test('the password of the demo moves to a new master key, and so it is still the one that the command shows', async () => {
  const before = await answer('demo');
  const key = { KURIR_MASTER_KEY: `${Buffer.alloc(32, 'n').toString('base64')},${environment().KURIR_MASTER_KEY}` };
  const { code, text } = await admin(['demo', '--json'], key);
  // Later commands have the present key alone.
  await t.database.pool.query(`DELETE FROM master_keys`);
  expect(code, text).toBe(0);
  const after = JSON.parse(text) as Record<string, unknown>;
  expect(after['sign_in_password']).not.toBe(before['sign_in_password']);
  const signIn = (email: unknown, password: unknown) => new Browser(t.url).auth('/sign-in/email', { email, password });
  expect((await signIn(after['sign_in_email'], after['sign_in_password'])).status).toBe(200);
  expect((await signIn(before['sign_in_email'], before['sign_in_password'])).status).toBe(401);
});
