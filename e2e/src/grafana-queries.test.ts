/** Each query of the dashboards finds series in a Prometheus that scrapes a live gateway. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort, waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from './customers/customer.js';
import { startWebhookProgram, type WebhookProgram } from './customers/webhook-program.js';
import { hasPrometheus, type Prometheus, startPrometheus, whyNoPrometheus } from './observe/prometheus.js';
import { newPhoneNumber, writeFrom } from './phones/phone.js';
import { sendNumbered } from './stack/numbered-texts.js';
import { type Stack, startStack } from './stack/stack.js';

const token = 'the-token-of-the-scraper';
const folder = fileURLToPath(new URL('../../deploy/observe/dashboards/', import.meta.url));
/** Queries that show something only after a failure. */
const emptyWhenWell = ['Chores: failures'];

type Dashboard = {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { expr: string }[] }[];
};

const panels = readdirSync(folder).flatMap((file) => {
  const { panels: all } = JSON.parse(readFileSync(folder + file, 'utf8')) as Dashboard;
  return all.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }, i) => [`${title}, query ${i + 1} of ${file}`, title, expr] as const),
  );
});

let stack: Stack;
let prometheus: Prometheus;
let program: WebhookProgram;

/** Messages of each priority, one to nobody, an answer of a person, and a webhook that hears of them. */
async function makeTraffic(customer: Customer): Promise<void> {
  const made = await customer.client.createWebhook({ url: program.url });
  program.secret = made.secret;
  const phone = newPhoneNumber();
  for (const priority of ['otp', 'normal', 'bulk'] as const) await sendNumbered(customer, phone, 5, priority);
  const refused = await customer.client.sendMessage({ message: 'nobody', phoneDestination: '6281200010000' });
  await customer.client.waitForJob(refused.jobId);
  const { devices } = await customer.client.listDevices();
  await writeFrom(stack, phone, devices[0]?.phoneNumber?.replace('+', '') ?? '', 'Terima kasih');
  await customer.client.getMessage('msg_nobody').catch(() => undefined);
  await waitUntil(() => program.taken.some(({ type }) => type === 'message.received'), {
    what: 'the webhook heard of it',
  });
}

describe.skipIf(!hasPrometheus)(`the dashboards${hasPrometheus ? '' : ` (skipped: ${whyNoPrometheus})`}`, () => {
  beforeAll(async () => {
    const [api, worker] = [await freePort(), await freePort()];
    const env = { KURIR_METRICS_TOKEN: token, KURIR_METRICS_PORT: String(api) };
    stack = await startStack({ workers: 0, env: { ...env, KURIR_WEBHOOK_PRIVATE_ADDRESSES: 'loopback' } });
    await stack.startWorker({ KURIR_METRICS_PORT: String(worker) });
    program = await startWebhookProgram();
    prometheus = await startPrometheus([`127.0.0.1:${api}`, `127.0.0.1:${worker}`], token, 1);
    const customer = await stack.createCustomer();
    await prometheus.scraped(2);
    await makeTraffic(customer);
    await prometheus.scraped(2);
  });
  afterAll(async () => {
    await prometheus?.stop();
    await program?.close();
    await stack?.stop();
  });

  it.each(panels)('%s', async (_, title, expr) => {
    const found = await prometheus.query(expr.replaceAll('$__rate_interval', '5m'));
    if (emptyWhenWell.includes(title)) return;
    const values = found.map(({ value: [, value] }) => value);
    expect(values, expr).not.toEqual([]);
    expect(
      values.some((value) => Number.isFinite(Number(value))),
      `${expr} → ${values.join(' ')}`,
    ).toBe(true);
  });

  it('show the messages that were sent and refused', async () => {
    const sum = async (query: string) => Number((await prometheus.query(query))[0]?.value[1]);
    expect(await sum('sum(kurir_messages_accepted_total)')).toBe(16);
    expect(await sum('sum(kurir_tries_total{outcome="sent"})')).toBe(15);
    expect(await sum('sum(kurir_inbound_messages_total)')).toBe(1);
    expect(await sum('sum(rate(kurir_messages_accepted_total[5m]))')).toBeGreaterThan(0);
  });
});
