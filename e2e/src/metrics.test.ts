/** After some traffic the metrics agree with it, and they name nobody. */
import { openDatabase } from '@kurir/database';
import { freePort, waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newPhoneNumber } from './phones/phone.js';
import { sendNumbered } from './stack/numbered-texts.js';
import { type Stack, startStack } from './stack/stack.js';

const token = 'the-token-of-the-scraper';
const unknownNumber = '6281200010000';

let stack: Stack;
let pages: { api: string; worker: string };
beforeAll(async () => {
  const [apiMetrics, workerMetrics] = [await freePort(), await freePort()];
  stack = await startStack({ workers: 0, env: { KURIR_METRICS_TOKEN: token, KURIR_METRICS_PORT: String(apiMetrics) } });
  await stack.startWorker({ KURIR_METRICS_PORT: String(workerMetrics) });
  pages = {
    api: `http://127.0.0.1:${apiMetrics}/metrics`,
    worker: `http://127.0.0.1:${workerMetrics}/metrics`,
  };
});
afterAll(() => stack?.stop());

async function read(page: keyof typeof pages): Promise<string> {
  const answer = await fetch(pages[page], { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  return answer.text();
}

/** The value of one series; zero if it is not there. */
function valueOf(text: string, series: string): number {
  const line = text.split('\n').find((found) => found.startsWith(`${series} `));
  return Number(line?.slice(series.length) ?? 0);
}

const seriesIn = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

it('counts each message once at each step, and names nobody', async () => {
  const customer = await stack.createCustomer({ devices: 2 });
  const phone = newPhoneNumber();
  const jobIds = await sendNumbered(customer, phone, 20, 'otp');
  jobIds.push(...(await sendNumbered(customer, newPhoneNumber(), 5, 'bulk')));
  for (const jobId of jobIds) await customer.client.waitForJob(jobId, { until: 'read' });
  const refused = await customer.client.sendMessage({ message: 'nobody', phoneDestination: unknownNumber });
  await customer.client.waitForJob(refused.jobId);
  await expect(customer.client.getMessage('msg_nobody')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });

  const [api, worker] = await Promise.all([read('api'), read('worker')]);
  expect(valueOf(api, 'kurir_messages_accepted_total{priority="otp"}')).toBe(20);
  expect(valueOf(api, 'kurir_messages_accepted_total{priority="bulk"}')).toBe(5);
  for (const status of ['sent', 'delivered', 'read'])
    expect(valueOf(worker, `kurir_message_moves_total{status="${status}"}`)).toBe(25);
  expect(valueOf(worker, 'kurir_message_moves_total{status="failed"}')).toBe(1);
  expect(valueOf(worker, 'kurir_tries_total{network="simulator",outcome="sent",reason="none"}')).toBe(25);
  const refusal = 'outcome="refused",reason="recipient_not_on_network"';
  expect(valueOf(worker, `kurir_tries_total{network="simulator",${refusal}}`)).toBe(1);
  expect(valueOf(worker, 'kurir_message_wait_seconds_count{priority="otp"}')).toBe(20);
  expect(valueOf(worker, 'kurir_try_duration_seconds_count{network="simulator"}')).toBe(26);
  expect(valueOf(worker, 'kurir_leases_taken_total{from="nobody"}')).toBe(2);
  expect(valueOf(worker, 'kurir_worker_devices')).toBe(2);
  expect(valueOf(api, 'kurir_http_errors_total{code="JOB_NOT_FOUND"}')).toBe(1);
  expect(valueOf(api, 'kurir_http_requests_total{operation="getMessage",status="4xx"}')).toBe(1);
  for (const text of [api, worker]) {
    expect(valueOf(text, 'kurir_up{part="database"}')).toBe(1);
    expect(valueOf(text, 'kurir_up{part="redis"}')).toBe(1);
    expect(seriesIn(text).length).toBeLessThan(1_000);
    for (const secret of [phone, unknownNumber, token, ...customer.deviceIds, ...jobIds])
      expect(text).not.toContain(secret);
    expect(text).not.toMatch(/\b(acc|dev|msg|req|wrk)_\w{8}/);
  }
});

it('shows the state of the whole service on the api', async () => {
  await waitUntil(
    async () => valueOf(await read('api'), 'kurir_devices{network="simulator",state="connected"}') === 2,
    {
      what: 'the api shows both devices',
    },
  );
  const text = await read('api');
  expect(valueOf(text, 'kurir_devices_wanted')).toBe(2);
  expect(valueOf(text, 'kurir_workers')).toBe(1);
  expect(valueOf(text, 'kurir_capacity_devices')).toBe(1_000);
  expect(valueOf(text, 'kurir_database_bytes')).toBeGreaterThan(1_000_000);
  expect(Math.abs(valueOf(text, 'kurir_clock_skew_seconds'))).toBeLessThan(5);
});

it('has about as many series with 5,000 devices', async () => {
  const database = openDatabase({ url: stack.env['DATABASE_URL'] ?? '', poolSize: 1 });
  try {
    const customer = await stack.createCustomer();
    await database.pool.query(
      `WITH made AS (INSERT INTO devices (id, account_id, name, network, typing_ms, state, linked)
         SELECT 'dev_many' || n, $1, 'many', (ARRAY['simulator', 'whatsapp'])[1 + n % 2], 0,
           (ARRAY['connected', 'connecting', 'disconnected', 'banned', 'pairing'])[1 + n % 5], true
         FROM generate_series(1, 5000) n RETURNING id)
       INSERT INTO device_leases (device_id, expires_at) SELECT id, to_timestamp(0) FROM made`,
      [customer.accountId],
    );
    await waitUntil(async () => valueOf(await read('api'), 'kurir_devices_wanted') > 3_000, {
      what: 'the api counts the devices',
    });
    const [api, worker] = await Promise.all([read('api'), read('worker')]);
    expect(seriesIn(api).length + seriesIn(worker).length).toBeLessThanOrEqual(1_500);
  } finally {
    await database.close();
  }
});

it('does not show its page on the public port', async () => {
  expect((await fetch(`${stack.baseUrl}/metrics`)).status).toBe(404);
  expect((await fetch(pages.api)).status).toBe(401);
});
