/** WhatsApp retires the version that devices appear as: what they say, and how they come back by themselves. */
import { adviceOf } from '@kurir/contracts';
import { createAccount, listDeviceDetails } from '@kurir/database';
import { createLogger } from '@kurir/logging';
import { builtInVersion, fetchWebVersion, type WebVersion } from '@kurir/network-whatsapp';
import { freePort, startProgram, stopAllPrograms, waitUntil } from '@kurir/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Customer } from './testing/customers.js';
import { startWebClient, type WebClient } from './testing/web-client.js';
import { useWhatsappBench } from './testing/whatsapp-bench.js';
import { type showVersionInUse, WebVersions } from './web-versions.js';

let webClient: WebClient;
const bench = useWhatsappBench({
  worker: false,
  // The web client stands where the chat server stands, as it does at WhatsApp.
  relay: { onRequest: (request, response) => webClient.serve(request, response) },
});

beforeAll(async () => {
  webClient = await startWebClient(builtInVersion);
});
afterAll(() => webClient.close());
beforeEach(async () => {
  await bench().query('DELETE FROM whatsapp_versions');
  await bench().query('DELETE FROM whatsapp_version_lookups');
  bench().relay.setMinimumVersion('0.0.0');
  webClient.say(builtInVersion);
});
afterEach(async () => {
  await stopAllPrograms();
  await bench().stopWorkers();
  await bench().forgetDevices();
});

const [major, minor, revision] = builtInVersion.split('.').map(Number);
/** Newer than the built-in one by so much. */
const later = (by: number): WebVersion => `${major ?? 0}.${minor ?? 0}.${(revision ?? 0) + by}`;

async function startWorker(pinned: WebVersion | null = null): Promise<WebVersions> {
  const lookUp = (signal: AbortSignal) => fetchWebVersion({ url: webClient.url, privateAddresses: 'allow', signal });
  const log = createLogger({ name: 'worker', level: 'silent', pretty: false });
  const { database } = bench();
  const webVersions = await WebVersions.open({
    database,
    builtIn: builtInVersion,
    pinned,
    lookUp,
    unlessProxied: true,
    log,
  });
  bench().startWhatsappWorker({ webVersions });
  return webVersions;
}

async function retire(customer: Customer, minimum: WebVersion): Promise<void> {
  bench().relay.setMinimumVersion(minimum);
  (await bench().phone(customer)).cut(await bench().connectionOf(customer), 'reset');
  await waitUntil(async () => (await bench().device(customer)).stateReason === 'client_outdated', {
    what: 'the device was refused',
  });
}

/** Since the worker's last lookup; its devices may lead to another one. */
const passTime = () => bench().query(`UPDATE whatsapp_version_lookups SET asked_at = asked_at - interval '16 minutes'`);

test('a device that is refused says which version that was, and connects at once when a newer one is learned', async () => {
  const versions = await startWorker();
  const customer = await bench().customer();
  await waitUntil(() => webClient.requests > 0, { what: 'the web client was asked at the start' });
  await retire(customer, later(5));
  const refused = await bench().device(customer);
  expect(refused).toMatchObject({ state: 'connecting', linked: true, stateDetail: builtInVersion });
  expect(refused.stateUntil?.getTime()).toBeGreaterThan(Date.now() + 10 * 60_000);
  expect(adviceOf(refused.stateReason, refused.stateDetail)).toContain(`refuses version ${builtInVersion}`);
  const [shown] = await listDeviceDetails(bench().database, bench().sealer, customer.accountId);
  expect(shown).toMatchObject({ stateReason: 'client_outdated', stateDetail: builtInVersion });
  expect(versions.inUse.refusedAt).toBeInstanceOf(Date);

  webClient.say(later(5));
  await passTime();
  await bench().query(`UPDATE whatsapp_version_lookups SET due_at = now()`);
  await bench().untilState(customer, 'connected');
  expect(versions.inUse).toMatchObject({ version: later(5), source: 'web-client', refusedAt: null });
  expect(await bench().device(customer)).toMatchObject({ stateReason: null, stateDetail: null, stateUntil: null });
  const recipient = await bench().recipient();
  await bench().untilStatus(await bench().sendOne(customer, { recipient, text: 'Halo' }), 'sent');
});

test('a refusal itself leads to the lookup, if the last one is a while ago', async () => {
  await startWorker();
  const customer = await bench().customer();
  await waitUntil(async () => (await bench().query('SELECT 1 FROM whatsapp_version_lookups')).length > 0, {
    what: 'the lookup of the start was made',
  });
  await passTime();
  webClient.say(later(6));
  await retire(customer, later(6));
  await bench().untilState(customer, 'connected');
  expect(bench().logins(customer).at(-1)).toMatchObject({ refused: null });
});

test('what another worker learned brings back the devices of this one', async () => {
  await startWorker();
  const customer = await bench().customer();
  await waitUntil(async () => (await bench().query('SELECT 1 FROM whatsapp_version_lookups')).length > 0, {
    what: 'the lookup of the start was made',
  });
  await retire(customer, later(7));
  const requests = webClient.requests;
  await bench().query(`INSERT INTO whatsapp_versions (version, source, said_at) VALUES ($1, 'web-client', now())`, [
    later(7),
  ]);
  await bench().untilState(customer, 'connected');
  expect(webClient.requests).toBe(requests);
});

test('linking that is refused fails as that, and leads to a lookup; the next attempt links', async () => {
  const versions = await startWorker();
  const { accountId } = await bench().customer();
  const customer = await bench().unlinkedDevice(accountId, { network: 'whatsapp' });
  bench().relay.setMinimumVersion(later(8));
  webClient.say(later(8));
  await passTime();
  await bench().askForQr(customer);
  await bench().untilState(customer, 'disconnected');
  const { stateReason, stateDetail } = await bench().device(customer);
  expect([stateReason, stateDetail]).toEqual(['link_failed', 'client_outdated']);
  expect(adviceOf(stateReason, stateDetail)).toContain('try again in some minutes');
  await waitUntil(() => versions.current() === later(8), { what: 'the newer version is in use' });
  await bench().linkByQr(customer);
});

test('a pinned version is not left, however often it is refused', async () => {
  const versions = await startWorker(later(1));
  const [customer, bystander] = [await bench().customer(), await bench().customer()];
  const requests = webClient.requests;
  webClient.say(later(9));
  await retire(customer, later(9));
  expect(await bench().device(customer)).toMatchObject({ stateDetail: later(1) });
  await waitUntil(() => versions.inUse.refusedAt, { what: 'the refusal is noted' });
  await bench().passRound(bystander);
  expect([versions.current(), webClient.requests]).toEqual([later(1), requests]);
});

test('the program learns the version from the server that it connects to, and its health answer says so', async () => {
  webClient.say(later(10));
  const customer = await unlinkedCustomer();
  bench().relay.setMinimumVersion(later(10));
  const url = await startWorkerProgram({});
  const shown = () => versionIn(url);
  await waitUntil(async () => (await shown()).version === later(10), { what: 'the health answer has the version' });
  expect(await shown()).toEqual({
    version: later(10),
    source: 'web-client',
    first_seen_at: expect.any(String),
    days_since_first_seen: 0,
    refused_at: null,
  });
  await bench().linkByQr(customer);
});

test('the program takes the version of its settings, and says that it was refused', async () => {
  const customer = await unlinkedCustomer();
  bench().relay.setMinimumVersion(later(11));
  const url = await startWorkerProgram({ KURIR_WHATSAPP_VERSION: later(2) });
  const shown = () => versionIn(url);
  expect(await shown()).toMatchObject({ version: later(2), source: 'setting', refused_at: null });
  await bench().askForQr(customer);
  await waitUntil(async () => (await shown()).refused_at !== null, { what: 'the health answer has the refusal' });
});

type ShownVersion = ReturnType<typeof showVersionInUse>;

async function versionIn(url: string): Promise<ShownVersion> {
  // What the worker's health answer is made of.
  const answer = (await (await fetch(url)).json()) as { readonly whatsapp_version: ShownVersion };
  return answer.whatsapp_version;
}

async function unlinkedCustomer(): Promise<Customer> {
  const accountId = await createAccount(bench().database, 'test');
  return bench().unlinkedDevice(accountId, { network: 'whatsapp' });
}

async function startWorkerProgram(settings: Record<string, string>): Promise<string> {
  const port = String(await freePort());
  const ready = `http://127.0.0.1:${port}/health/ready`;
  const env = {
    ...bench().settings,
    ...bench().whatsappSettings,
    KURIR_PROXY_PRIVATE_ADDRESSES: 'allow',
    KURIR_HEALTH_PORT: port,
    ...settings,
  };
  await startProgram({ path: 'apps/worker/dist/main.js', env, ready });
  return ready;
}
