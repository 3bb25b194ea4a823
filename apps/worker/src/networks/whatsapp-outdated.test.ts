/** WhatsApp refuses the client version of the devices: what the customer reads, and how the devices connect again. */
import { adviceOf } from '@kurir/contracts';
import { createAccount, listDeviceDetails } from '@kurir/database';
import { createLogger } from '@kurir/logging';
import { builtInVersion, fetchWebVersion, type WebVersion } from '@kurir/network-whatsapp';
import { freePort, startProgram, stopAllPrograms, waitUntil } from '@kurir/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Customer } from '../../test/account-fixture.js';
import { startWebClient, type WebClient } from '../../test/web-client.js';
import { useWhatsappFixture } from '../../test/whatsapp-fixture.js';
import { type showVersionInUse, WebVersions } from './web-versions.js';

let webClient: WebClient;
const fixture = useWhatsappFixture({
  worker: false,
  // The web client and the chat server have the same address, as at WhatsApp.
  relay: { onRequest: (request, response) => webClient.serve(request, response) },
});

beforeAll(async () => {
  webClient = await startWebClient(builtInVersion);
});
afterAll(() => webClient.close());
beforeEach(async () => {
  await fixture().query('DELETE FROM whatsapp_versions');
  await fixture().query('DELETE FROM whatsapp_version_lookups');
  fixture().relay.setMinimumVersion('0.0.0');
  webClient.say(builtInVersion);
});
afterEach(async () => {
  await stopAllPrograms();
  await fixture().stopWorkers();
  await fixture().forgetDevices();
});

const [major, minor, revision] = builtInVersion.split('.').map(Number);
/** A version that is newer than the built-in one by so many revisions. */
const later = (by: number): WebVersion => `${major ?? 0}.${minor ?? 0}.${(revision ?? 0) + by}`;

async function startWorker(pinned: WebVersion | null = null): Promise<WebVersions> {
  const lookUp = (signal: AbortSignal) => fetchWebVersion({ url: webClient.url, privateAddresses: 'allow', signal });
  const log = createLogger({ name: 'worker', level: 'silent', pretty: false });
  const { database } = fixture();
  const webVersions = await WebVersions.open({
    database,
    builtIn: builtInVersion,
    pinned,
    lookUp,
    unlessProxied: true,
    log,
  });
  fixture().startWhatsappWorker({ webVersions });
  return webVersions;
}

async function retire(customer: Customer, minimum: WebVersion): Promise<void> {
  fixture().relay.setMinimumVersion(minimum);
  (await fixture().phone(customer)).cut(await fixture().connectionOf(customer), 'reset');
  await waitUntil(async () => (await fixture().device(customer)).stateReason === 'client_outdated', {
    what: 'the device was refused',
  });
}

/** Lets so much time pass since the last lookup that a refusal may lead to another one. */
const passTime = () =>
  fixture().query(`UPDATE whatsapp_version_lookups SET asked_at = asked_at - interval '16 minutes'`);

test('a refused device shows the refused version, and connects at once when the worker learns a newer one', async () => {
  const versions = await startWorker();
  const customer = await fixture().customer();
  await waitUntil(() => webClient.requests > 0, { what: 'the web client was asked at the start' });
  await retire(customer, later(5));
  const refused = await fixture().device(customer);
  expect(refused).toMatchObject({ state: 'connecting', linked: true, stateDetail: builtInVersion });
  expect(refused.stateUntil?.getTime()).toBeGreaterThan(Date.now() + 10 * 60_000);
  expect(adviceOf(refused.stateReason, refused.stateDetail)).toContain(`refuses version ${builtInVersion}`);
  const [shown] = await listDeviceDetails(fixture().database, fixture().sealer, customer.accountId);
  expect(shown).toMatchObject({ stateReason: 'client_outdated', stateDetail: builtInVersion });
  expect(versions.inUse.refusedAt).toBeInstanceOf(Date);

  webClient.say(later(5));
  await passTime();
  await fixture().query(`UPDATE whatsapp_version_lookups SET due_at = now() - interval '2 ms'`);
  await fixture().untilState(customer, 'connected');
  expect(versions.inUse).toMatchObject({ version: later(5), source: 'web-client', refusedAt: null });
  expect(await fixture().device(customer)).toMatchObject({ stateReason: null, stateDetail: null, stateUntil: null });
  const recipient = await fixture().recipient();
  await fixture().untilStatus(await fixture().sendOne(customer, { recipient, text: 'Halo' }), 'sent');
});

test('a refusal leads to a lookup if the last one is some minutes old', async () => {
  await startWorker();
  const customer = await fixture().customer();
  await waitUntil(async () => (await fixture().query('SELECT 1 FROM whatsapp_version_lookups')).length > 0, {
    what: 'the lookup of the start was made',
  });
  await passTime();
  webClient.say(later(6));
  await retire(customer, later(6));
  await fixture().untilState(customer, 'connected');
  expect(fixture().logins(customer).at(-1)).toMatchObject({ refused: null });
});

test('refused devices connect again when another worker learned a newer version', async () => {
  await startWorker();
  const customer = await fixture().customer();
  await waitUntil(async () => (await fixture().query('SELECT 1 FROM whatsapp_version_lookups')).length > 0, {
    what: 'the lookup of the start was made',
  });
  await retire(customer, later(7));
  const requests = webClient.requests;
  await fixture().query(`INSERT INTO whatsapp_versions (version, source, said_at) VALUES ($1, 'web-client', now())`, [
    later(7),
  ]);
  await fixture().untilState(customer, 'connected');
  expect(webClient.requests).toBe(requests);
});

test('a link attempt with a refused version fails with that reason and leads to a lookup; the next attempt links', async () => {
  const versions = await startWorker();
  const { accountId } = await fixture().customer();
  const customer = await fixture().unlinkedDevice(accountId, { network: 'whatsapp' });
  fixture().relay.setMinimumVersion(later(8));
  webClient.say(later(8));
  await passTime();
  await fixture().askForQr(customer);
  await fixture().untilState(customer, 'disconnected');
  const { stateReason, stateDetail } = await fixture().device(customer);
  expect([stateReason, stateDetail]).toEqual(['link_failed', 'client_outdated']);
  expect(adviceOf(stateReason, stateDetail)).toContain('try again in some minutes');
  await waitUntil(() => versions.current() === later(8), { what: 'the newer version is in use' });
  await fixture().linkByQr(customer);
});

test('a pinned version stays in use after a refusal', async () => {
  const versions = await startWorker(later(1));
  const [customer, bystander] = [await fixture().customer(), await fixture().customer()];
  const requests = webClient.requests;
  webClient.say(later(9));
  await retire(customer, later(9));
  expect(await fixture().device(customer)).toMatchObject({ stateDetail: later(1) });
  await waitUntil(() => versions.inUse.refusedAt, { what: 'the refusal is noted' });
  await fixture().passRound(bystander);
  expect([versions.current(), webClient.requests]).toEqual([later(1), requests]);
});

test('the program learns the version from the server that it connects to, and its health endpoint shows it', async () => {
  webClient.say(later(10));
  const customer = await unlinkedCustomer();
  fixture().relay.setMinimumVersion(later(10));
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
  await fixture().linkByQr(customer);
});

test('the program uses the version of its settings, and its health endpoint shows the refusal', async () => {
  const customer = await unlinkedCustomer();
  fixture().relay.setMinimumVersion(later(11));
  const url = await startWorkerProgram({ KURIR_WHATSAPP_VERSION: later(2) });
  const shown = () => versionIn(url);
  expect(await shown()).toMatchObject({ version: later(2), source: 'setting', refused_at: null });
  await fixture().askForQr(customer);
  await waitUntil(async () => (await shown()).refused_at !== null, { what: 'the health answer has the refusal' });
});

type ShownVersion = ReturnType<typeof showVersionInUse>;

async function versionIn(url: string): Promise<ShownVersion> {
  // The worker fills its health response with `showVersionInUse`.
  const answer = (await (await fetch(url)).json()) as { readonly whatsapp_version: ShownVersion };
  return answer.whatsapp_version;
}

async function unlinkedCustomer(): Promise<Customer> {
  const accountId = await createAccount(fixture().database, 'test');
  return fixture().unlinkedDevice(accountId, { network: 'whatsapp' });
}

async function startWorkerProgram(settings: Record<string, string>): Promise<string> {
  const port = String(await freePort());
  const ready = `http://127.0.0.1:${port}/health/ready`;
  const env = {
    ...fixture().settings,
    ...fixture().whatsappSettings,
    KURIR_PROXY_PRIVATE_ADDRESSES: 'allow',
    KURIR_HEALTH_PORT: port,
    ...settings,
  };
  await startProgram({ path: 'apps/worker/dist/main.js', env, ready });
  return ready;
}
