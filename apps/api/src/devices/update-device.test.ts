/**
 * Tests of changing a device, and of creating one safely. They check the rows, the answers, the logs and the woken
 * workers.
 */
import { publicOperations } from '@kurir/contracts';
import { openDeviceProxy, readIntents, writeAccountLimits } from '@kurir/database';
import { serveWakeUps } from '@kurir/queue';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createCustomer, type Customer, holder } from '../../test/customer-fixture.js';
import { call } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
const woken: string[] = [];

beforeAll(async () => {
  t = await startTestApi();
  await serveWakeUps(t.queue, (deviceId) => void woken.push(deviceId));
});
afterAll(() => t.close());

const update = (customer: Customer, body: object) => call(t.url, customer, 'updateDevice', { body });

test('a change is stored and shown, and wakes the worker; other fields stay', async () => {
  const customer = await createCustomer(t.database);
  const settings = { pace_per_minute: 30, pace_jitter_ms: 500, typing_ms: 900, new_contacts_per_day: 5 };
  const answer = await update(customer, { name: 'Shop', ...settings });
  expect(answer.status).toBe(200);
  const shown = publicOperations.updateDevice.data.parse(answer.body.data);
  expect(shown).toMatchObject({ name: 'Shop', state: 'connected', settings: { ...settings, proxy: null } });
  await waitUntil(() => woken.includes(customer.deviceId), { what: 'the holder is woken' });
  await update(customer, { pace_per_minute: null, new_contacts_per_day: null });
  expect(await readIntents(t.database, [customer.deviceId])).toMatchObject([{ pacePerMinute: null, typingMs: 900 }]);
  const { body } = await call(t.url, customer, 'listDevices');
  expect(body.data['devices']).toMatchObject([
    { name: 'Shop', settings: { pace_per_minute: null, pace_jitter_ms: 500, new_contacts_per_day: null } },
  ]);
});

test('the password of a proxy is stored for the worker, and is neither shown nor logged', async () => {
  const customer = await createCustomer(t.database);
  const proxy = 'socks5://user:canary-password@proxy.example.com:1080';
  const answer = await update(customer, { proxy });
  const listed = await call(t.url, customer, 'listDevices');
  const refused = await update(customer, { proxy: `${proxy}/canary-path` });
  expect(refused.body.code).toBe('INVALID_REQUEST');
  expect(answer.body.data['settings']).toMatchObject({ proxy: 'socks5://user@proxy.example.com:1080' });
  expect(JSON.stringify([answer.body, listed.body, refused.body, t.logs])).not.toContain('canary');
  const [intent] = await readIntents(t.database, [customer.deviceId]);
  const sealed = intent?.proxySealed ?? Buffer.alloc(0);
  expect(openDeviceProxy(t.api.sealer, customer.deviceId, sealed)).toBe(proxy);
});

test.each([
  'http://user:canary@127.0.0.1:3128',
  'socks5://169.254.169.254',
  'socks5://0x7f.1:1080',
  'http://localhost',
])('a proxy inside the operator’s network is refused for new and for existing devices: %s', async (proxy) => {
  const customer = await createCustomer(t.database);
  const answers = [
    await update(customer, { proxy }),
    await call(t.url, customer, 'createDevice', { body: { name: 'Shop', proxy } }),
  ];
  for (const { status, body } of answers) {
    expect([status, body.code]).toEqual([422, 'INVALID_REQUEST']);
    expect(body.error).toMatch(/^proxy: .*public/);
  }
  expect(JSON.stringify([answers, t.logs])).not.toContain('canary');
  const { body: listed } = await call(t.url, customer, 'listDevices');
  expect(listed.data['devices']).toMatchObject([{ settings: { proxy: null } }]);
});

test('an operator may allow private proxies', async () => {
  const own = await startTestApi({ KURIR_PROXY_PRIVATE_ADDRESSES: 'allow' });
  onTestFinished(() => own.close());
  const customer = await createCustomer(own.database);
  const { status, body } = await call(own.url, customer, 'updateDevice', { body: { proxy: 'http://10.0.0.1:3128' } });
  expect([status, body.data['settings']]).toMatchObject([200, { proxy: 'http://10.0.0.1:3128' }]);
});

test('a limit of the network is shown with its reason, its end and its quota', async () => {
  const customer = await createCustomer(t.database);
  const blockedUntil = new Date(Date.now() + 3_600_000);
  await writeAccountLimits(
    t.database,
    { deviceId: customer.deviceId, owner: holder, epoch: 1n },
    {
      newContacts: { blockedUntil, reason: 'too_many_strangers' },
      newChatQuota: { used: 7, total: 10, resetsAt: null },
    },
  );
  const { body } = await call(t.url, customer, 'listDevices');
  expect(publicOperations.listDevices.data.parse(body.data).devices).toMatchObject([
    {
      new_contacts: {
        waiting: { reason: 'too_many_strangers', until: blockedUntil.toISOString() },
        used_today: 0,
        network_quota: { used: 7, total: 10, resets_at: null },
      },
    },
  ]);
  const info = await call(t.url, customer, 'deviceInfo');
  expect(Object.keys(info.body.data).sort()).toEqual(['created_at', 'device_id', 'state']);
});

test('a new WhatsApp device is automatic, takes back the settings that it returned, and shows the risk of a looser limit', async () => {
  const customer = await createCustomer(t.database);
  const { body } = await call(t.url, customer, 'createDevice', { body: { name: 'Shop' } });
  const device = { ...customer, deviceId: String(body.data['device_id']) as Customer['deviceId'] };
  const change = async (changes: object) =>
    publicOperations.updateDevice.data.parse((await update(device, changes)).body.data);
  const first = await change({ name: 'Toko' });
  expect(first).toMatchObject({
    settings: { new_contacts_policy: 'automatic', new_contacts_per_day: 20 },
    new_contacts: { allowance: 20, used_today: 0, left: 16, left_for_codes: 20, warning: null, advice: null },
  });
  const { proxy: _, ...sentBack } = first.settings;
  expect((await change(sentBack)).settings).toEqual(first.settings);
  for (const [changes, settings, left] of [
    [{ new_contacts_per_day: 200 }, { new_contacts_policy: 'fixed', new_contacts_per_day: 200 }, 200],
    [{ new_contacts_per_day: null }, { new_contacts_policy: 'unlimited', new_contacts_per_day: null }, null],
  ] as const)
    expect(await change(changes)).toMatchObject({
      settings,
      new_contacts: { left, left_for_codes: left, advice: expect.stringContaining('may restrict or close') },
    });
  expect((await change({ new_contacts_per_day: 5 })).new_contacts.advice).toBeNull();
  expect((await change({ new_contacts_policy: 'automatic' })).settings).toEqual(first.settings);
});

test('a device stays automatic if a client that does not know the policy sends back the settings that it read', async () => {
  const customer = await createCustomer(t.database);
  await update(customer, { new_contacts_policy: 'automatic' });
  const warning = { kind: 'second', until: new Date(Date.now() + 3_600_000) } as const;
  const holding = { deviceId: customer.deviceId, owner: holder, epoch: 1n };
  await writeAccountLimits(t.database, holding, { newContacts: 'allowed', newChatQuota: null, warning });
  const change = async (changes: object) =>
    publicOperations.updateDevice.data.parse((await update(customer, changes)).body.data);
  const read = await change({ name: 'Shop' });
  expect(read).toMatchObject({ settings: { new_contacts_per_day: 20 }, new_contacts: { allowance: 0 } });
  const { proxy: _, new_contacts_policy: __, ...ofFirstVersion } = read.settings;
  expect((await change({ ...ofFirstVersion, typing_ms: 700 })).settings).toEqual({ ...read.settings, typing_ms: 700 });
  const fixed = { new_contacts_policy: 'fixed', new_contacts_per_day: 20 };
  expect((await change(fixed)).settings).toMatchObject(fixed);
  expect((await change(ofFirstVersion)).settings).toMatchObject(fixed);
});

test('a repeated client_ref makes no second device, and the answer is marked as a repeat', async () => {
  const customer = await createCustomer(t.database);
  const body = { name: 'Shop', client_ref: 'shop-1', proxy: 'http://user:secret@proxy.example.com:3128' };
  const first = await call(t.url, customer, 'createDevice', { body });
  const again = await call(t.url, customer, 'createDevice', { body });
  expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null]);
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(again.body).toEqual(first.body);
  const { body: listed } = await call(t.url, customer, 'listDevices');
  expect(listed.data['devices']).toHaveLength(2);
});
