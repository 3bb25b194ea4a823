/**
 * Each alert fires when its cause is there, and the command of its runbook shows it. The rules are those of the product,
 * with shorter times. The causes are real: cut connections, killed and stopped processes, locks, faults of the network.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@kurir/contracts';
import { type Database, openDatabase } from '@kurir/database';
import { createClient } from '@kurir/client';
import { freePort, type RunningProgram, startTcpProxy, type TcpProxy, waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from './customers/customer.js';
import { Person } from './customers/person.js';
import { hasPrometheus, type Prometheus, startPrometheus, whyNoPrometheus } from './observe/prometheus.js';
import { runRunbook } from './observe/runbooks.js';
import { injectFault, newPhoneNumber } from './phones/phone.js';
import { type Stack, startStack } from './stack/stack.js';

const token = 'the-token-of-the-scraper';
/** Started beside others, a process needs time. */
const fireWithinMs = 120_000;

let stack: Stack;
let prometheus: Prometheus;
let database: Database;
let databaseProxy: TcpProxy;
let customer: Customer;
let hosts: { api: string; badApi: string; workerA: string; workerB: string };
let badApi: RunningProgram & { url: string };
let workerA: RunningProgram;
let workerB: RunningProgram;

const portOf = (host: string) => host.split(':')[1] ?? '';
/** A clock that goes one minute ahead. */
const wrongClock = `--import=data:text/javascript,const%20now=Date.now;Date.now=()=>now()+60000`;

async function startPrograms(): Promise<void> {
  const [api, bad, a, b] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const at = (port: number) => `127.0.0.1:${port}`;
  hosts = { api: at(api), badApi: at(bad), workerA: at(a), workerB: at(b) };
  const env = { KURIR_METRICS_TOKEN: token, KURIR_METRICS_PORT: String(api) };
  stack = await startStack({ workers: 0, env: { ...env, KURIR_WEBHOOK_PRIVATE_ADDRESSES: 'loopback' } });
  databaseProxy = await startTcpProxy(stack.env['DATABASE_URL'] ?? '');
  const behindProxy = { DATABASE_URL: databaseProxy.url };
  workerA = await stack.startWorker({ KURIR_METRICS_PORT: String(a), KURIR_WORKER_CAPACITY: '3' });
  const badPort = await freePort();
  const changes = { ...behindProxy, KURIR_METRICS_PORT: String(bad), NODE_OPTIONS: wrongClock, KURIR_TRUST_PROXY: '1' };
  const started = await stack.startApi(badPort, { ...changes, KURIR_SMTP_URL: 'smtp://127.0.0.1:1' });
  badApi = { ...started, url: `http://127.0.0.1:${badPort}` };
  workerB = await stack.startWorker({ ...behindProxy, KURIR_METRICS_PORT: String(b), KURIR_WORKER_CAPACITY: '1' });
}

const otp = (phone = newPhoneNumber()) =>
  customer.client.sendMessage({ message: 'code', phoneDestination: phone, priority: 'otp', ttlSeconds: 600 });
const text = (phone = newPhoneNumber()) => customer.client.sendMessage({ message: 'text', phoneDestination: phone });

/** Waits until the alert fires, and looks at what its runbook shows. `meanwhile` keeps the cause alive. */
async function expectAlert(alert: string, shows: RegExp, meanwhile: () => Promise<unknown> = () => Promise.resolve()) {
  const fires = async () => {
    await meanwhile().catch(() => undefined);
    return (await prometheus.firing()).includes(alert);
  };
  await waitUntil(fires, { what: `${alert} fires`, timeoutMs: fireWithinMs, everyMs: 200 });
  const env = { ...stack.env, API: hosts.api, WORKER: hosts.workerA, NODE_ENV: 'test' };
  expect(await runRunbook(alert, env), alert).toMatch(shows);
}

const lookAt = (host: string, alert: string) =>
  runRunbook(alert, { ...stack.env, API: host, WORKER: host, NODE_ENV: 'test' });

/** Runs `work` while a transaction of another program stands open after this statement. */
async function inOpenTransaction(statement: string, work: () => Promise<unknown>): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query(`SET idle_in_transaction_session_timeout = 0; BEGIN; ${statement}`);
    await work();
  } finally {
    await client.query('ROLLBACK');
    client.release(true);
  }
}

/** The devices of the worker that holds most. The other worker has only one place. */
async function devicesOfBusiest(): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT device_id AS id FROM device_leases WHERE owner =
       (SELECT owner FROM device_leases WHERE owner IS NOT NULL GROUP BY owner ORDER BY count(*) DESC LIMIT 1)`,
  );
  return rows.map(({ id }) => id);
}

async function startReceiver(status: () => number): Promise<{ url: string; close(): void }> {
  const server = createServer((_request, response) => response.writeHead(status()).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() };
}

/** The causes need their own times, which a machine that is full of other tests does not give. */
const isWanted = process.env['KURIR_TEST_LIVE_ALERTS'] === '1';
const whyNot = isWanted ? whyNoPrometheus : 'needs a quiet machine; run it alone with KURIR_TEST_LIVE_ALERTS=1';
const runs = hasPrometheus && isWanted;

describe.skipIf(!runs)(`alerts${runs ? '' : ` (skipped: ${whyNot})`}`, () => {
  beforeAll(async () => {
    await startPrograms();
    customer = await stack.createCustomer({ devices: 4 });
    database = openDatabase({ url: stack.env['DATABASE_URL'] ?? '', poolSize: 4, application: 'test' });
    prometheus = await startPrometheus(Object.values(hosts), token, 4);
    await Promise.all(Array.from({ length: 10 }, () => otp()));
  });
  afterAll(async () => {
    await prometheus?.stop();
    await database?.close();
    await databaseProxy?.close();
    await stack?.stop();
  });

  it('a wrong clock, and a mail server that takes nothing', async () => {
    await waitUntil(async () => (await prometheus.query('kurir_clock_skew_seconds > 30')).length > 0, {
      what: 'scraped',
    });
    await Promise.all([
      expectAlert('KurirClockSkew', /./),
      expectAlert('KurirMailsFail', /./, () => new Person(badApi.url).signUp()),
    ]);
    expect(await lookAt(hosts.badApi, 'KurirClockSkew')).toMatch(/skew_seconds (59|60)/);
    expect(await lookAt(hosts.badApi, 'KurirMailsFail')).toMatch(/result="failed"\} [1-9]/);
  });

  it('a database that is away, for an api and for a worker', async () => {
    await databaseProxy.cut();
    const { apiKey, apiSecret, deviceId } = customer;
    const client = createClient({ baseUrl: badApi.url, apiKey, apiSecret, deviceId });
    // The client repeats the request by itself.
    const ask = async () => void client.listMessages().catch(() => undefined);
    await expectAlert('KurirApiErrors', /kurir_http_errors_total/, ask);
    await expectAlert('KurirDatabaseDown', /./);
    expect(await lookAt(hosts.badApi, 'KurirDatabaseDown')).toMatch(/part="database"\} 0/);
    await expectAlert('KurirChoreFails', /^/);
    expect(await lookAt(hosts.workerB, 'KurirChoreFails')).toMatch(/result="failed"\} [1-9]/);
    await databaseProxy.restore();
  });

  it('Redis that is away', async () => {
    await stack.redis.cut();
    await expectAlert('KurirRedisDown', /part="redis"\} 0/);
    await stack.redis.restore();
  });

  it('a transaction that stays open, and locks that hold requests up', async () => {
    await inOpenTransaction(`INSERT INTO accounts (id, name) VALUES ('acc_open', 'open')`, () =>
      expectAlert('KurirOldTransaction', /age +([4-9]|\d\d)/),
    );
    const slow = () => inOpenTransaction('LOCK TABLE messages', () => Promise.race([otp(), sleep(1_000)]));
    await expectAlert('KurirApiSlow', /le="0.5",group="send"/, slow);
    let isCrowded = false;
    const crowd = async () => {
      if (isCrowded) return;
      isCrowded = true;
      const requests = Array.from({ length: 60 }, () => customer.client.getMessage(newId('msg')));
      void Promise.allSettled(requests).then(() => (isCrowded = false));
    };
    await inOpenTransaction('LOCK TABLE messages', () =>
      expectAlert('KurirConnectionsUsedUp', /state="waiting"\} [1-9]/, crowd),
    );
  });

  it('a process that stands still again and again', async () => {
    await expectAlert('KurirProcessBusy', /nodejs_eventloop_lag_p99_seconds/, async () => {
      badApi.signal('SIGSTOP');
      await sleep(800);
      badApi.signal('SIGCONT');
      await sleep(200);
    });
  });

  it('a worker that stands still while codes wait, and goes on', async () => {
    const calm = async () => Number((await prometheus.query('sum(rate(kurir_tries_total[16s]))'))[0]?.value[1]) === 0;
    await waitUntil(calm, { what: 'nothing was sent for a while', timeoutMs: fireWithinMs, everyMs: 500 });
    const ids = await devicesOfBusiest();
    workerA.signal('SIGSTOP');
    try {
      for (const id of ids) {
        const { client } = customer.withDevice(id);
        void client.sendMessage({ message: 'text', phoneDestination: newPhoneNumber() });
        void client.sendMessage({
          message: 'code',
          phoneDestination: newPhoneNumber(),
          priority: 'otp',
          ttlSeconds: 600,
        });
      }
      await Promise.all([expectAlert('KurirCodesStuck', /dev_/), expectAlert('KurirNothingSent', /dev_/)]);
    } finally {
      workerA.signal('SIGCONT');
    }
    await expectAlert('KurirCodesSlow', /priority="otp"/);
  });

  it('a network that does not answer, refuses and bans', async () => {
    const silent = newPhoneNumber();
    await injectFault(stack, { kind: 'swallow', recipient: silent, count: 100 });
    await Promise.all([text(silent), text(silent)]);
    await expectAlert('KurirUnanswered', /outcome="unanswered"/);
    const refused = newPhoneNumber();
    const reason = 'rate_limited_by_network';
    await injectFault(stack, { kind: 'ack_negative', recipient: refused, count: 1_000, reason, permanent: true });
    // Through another device: the first one still tries the messages without an answer.
    const other = customer.withDevice(customer.deviceIds[1] ?? '');
    await expectAlert('KurirRefused', /reason="rate_limited_by_network"/, () =>
      other.client.sendMessage({ message: 'text', phoneDestination: refused }),
    );
    for (const id of customer.deviceIds.slice(2)) await injectFault(stack, { kind: 'ban', device_id: id });
    await Promise.all([expectAlert('KurirDevicesLost', /simulator banned +2/), expectAlert('KurirAccountBanned', /./)]);
  });

  it('a webhook that is gone', async () => {
    const receiver = await startReceiver(() => 410);
    await customer.client.createWebhook({ url: receiver.url, types: ['message.sent'] });
    await expectAlert('KurirWebhookDisabled', /disabled \(gone\)/, () => text());
    receiver.close();
  });

  it('workers that die', async () => {
    let posts = 0;
    const receiver = await startReceiver(() => (posts++ === 0 ? 500 : 200));
    await customer.client.createWebhook({ url: receiver.url, types: ['message.sent'] });
    const hasRetry = async () => {
      const state = `FROM webhook_retries r JOIN webhook_readers w USING (webhook_id) WHERE w.failing_since IS NULL`;
      return (await database.pool.query(`SELECT 1 ${state}`)).rows.length > 0;
    };
    await waitUntil(() => text().then(hasRetry), { what: 'a retry waits, and the webhook works', everyMs: 300 });
    await Promise.all([workerA.kill(), workerB.kill()]);
    await expectAlert('KurirProcessDown', /wrk_/);
    await expectAlert('KurirNoWorker', /false/);
    await expectAlert('KurirDevicesUnheld', /wrk_/);
    // The retry was due a few seconds after its event. So the test need not wait for the rest of a minute.
    await database.pool.query(`UPDATE webhook_retries SET due_at = due_at - interval '2 minutes'`);
    await expectAlert('KurirWebhooksLate', /overdue +1/);
    const again = await stack.startWorker({ KURIR_METRICS_PORT: portOf(hosts.workerA), KURIR_WORKER_CAPACITY: '2' });
    await expectAlert('KurirWorkerDied', /from="dead_worker"\} [1-9]/);
    await expectAlert('KurirWorkersFull', /places +2/);
    await again.kill();
    receiver.close();
  });

  it('apis that end', async () => {
    await Promise.all([stack.api.kill(), badApi.kill()]);
    await expectAlert('KurirStateUnknown', /workers/);
  });
});
