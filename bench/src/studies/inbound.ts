/**
 * `inbound`: messages that people write to one device, at a steady rate, from the network to a webhook. People write
 * alone, and while the same device sends a broadcast as fast as it can.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSealer } from '@kurir/database';
import { createWebhook } from '@kurir/database/webhooks';
import { makeWebhookSecret, parseKey } from '@kurir/signing';
import { waitUntil } from '@kurir/testing';
import { phoneOf } from '../gateway/link-devices.js';
import { type MeasuredGateway, startMeasuredGateway } from '../gateway/measured-gateway.js';
import { countMessages, forgetMessages } from '../gateway/stored-messages.js';
import { type Load, startLoad } from '../load/load.js';
import { type Spread, spreadOf } from '../network/wire-times.js';
import type { Setting } from '../processes/setting.js';
import { median } from '../readings/percentile.js';
import type { Figure } from '../report/figures.js';
import type { Options } from './options.js';
import type { Study } from './study.js';

const perSecond = 100;
const messages = 5_000;
const people = 50;
const waiting = 100_000;
const perBulk = 1_000;
const tickMs = 10;
const arrivedWithinMs = 60_000;

/** The webhook's server. Returns the times between network and webhook, by the network's id of the message. */
type Hook = { readonly url: string; readonly ms: ReadonlyMap<string, number>; readonly repeats: number };

type Received = { readonly data: { readonly network_message_id: string; readonly sent_at: string } };

async function startHook({ cleanup }: Setting): Promise<Hook> {
  const hook = { url: '', ms: new Map<string, number>(), repeats: 0 };
  const server = createServer((request, response) => {
    const at = Date.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      // The gateway wrote the body.
      const { data } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Received;
      if (hook.ms.has(data.network_message_id)) hook.repeats++;
      else hook.ms.set(data.network_message_id, at - Date.parse(data.sent_at));
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanup.add(async () => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port has an address of this form.
  hook.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return hook;
}

async function openWebhook({ database, ground, account }: MeasuredGateway, url: string): Promise<void> {
  await createWebhook(database, createSealer(parseKey(ground.masterKey)), {
    accountId: account.accountId,
    url,
    description: '',
    types: ['message.received'],
    deviceIds: [],
    mode: 'parallel',
    maxPerSecond: null,
    secret: makeWebhookSecret(),
  });
}

async function write({ network }: MeasuredGateway, n: number, id: string): Promise<void> {
  const from = `62816${String((n % people) + 1).padStart(6, '0')}1`;
  const answer = await fetch(`${network.url}/phones/${from}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to: phoneOf(0), text: `Apakah pesanan ${n} sudah dikirim?`, network_message_id: id }),
  });
  if (!answer.ok) throw new Error(`the network refused a message: ${await answer.text()}`);
  await answer.body?.cancel();
}

/** Writes all messages at the steady rate, whether earlier ones have arrived or not. Returns their ids. */
async function writeAll(gateway: MeasuredGateway, run: string): Promise<string[]> {
  const ids = Array.from({ length: messages }, (_, n) => `${run}-${n}`);
  const startedAt = performance.now();
  const writing: Promise<void>[] = [];
  while (writing.length < ids.length) {
    const due = Math.min(ids.length, Math.floor(((performance.now() - startedAt) * perSecond) / 1_000));
    for (let n = writing.length; n < due; n++) writing.push(write(gateway, n, ids[n] ?? ''));
    await new Promise((resolve) => setTimeout(resolve, tickMs));
  }
  await Promise.all(writing);
  return ids;
}

type Stage = { readonly gateway: MeasuredGateway; readonly hook: Hook; readonly bulks: Load };
type Found = Spread & { readonly missing: number };

async function measure({ gateway, hook }: Stage, run: string): Promise<Found> {
  const ids = await writeAll(gateway, run);
  const haveArrived = () => ids.every((id) => hook.ms.has(id));
  await waitUntil(haveArrived, { what: 'all messages arrive', timeoutMs: arrivedWithinMs, everyMs: 200 }).catch(
    () => undefined, // those that are missing are counted
  );
  const ms = ids.flatMap((id) => hook.ms.get(id) ?? []);
  return { ...spreadOf(ms), missing: ids.length - ms.length };
}

async function besideBroadcast(stage: Stage, run: string): Promise<Found & { readonly sent: number }> {
  const { gateway, bulks } = stage;
  const { account, deviceIds, database } = gateway;
  await bulks.prepare({
    apiKey: account.apiKey,
    apiSecret: account.apiSecret,
    deviceIds,
    target: '/api/v1/messages/bulk',
    requests: waiting / perBulk,
    messages: perBulk,
    priority: 'bulk',
  });
  await bulks.run({ port: gateway.apiPort, connections: 4, seconds: null });
  const before = await countMessages(database, ['queued']);
  const found = await measure(stage, run);
  const left = await countMessages(database, ['queued']);
  if (left === 0) throw new Error('the broadcast was over before the messages of people were');
  return { ...found, sent: before - left };
}

const unit = { unit: 'ms', digits: 0 };

const figuresOf = (name: string, runs: readonly Found[]): Figure[] => [
  { name: `inbound, ${name}: p50`, value: median(runs.map(({ p50 }) => p50)), ...unit },
  { name: `inbound, ${name}: p99`, value: median(runs.map(({ p99 }) => p99)), ...unit },
  {
    name: `inbound, ${name}: did not arrive`,
    value: runs.reduce((sum, { missing }) => sum + missing, 0),
    unit: 'messages',
    digits: 0,
    atMost: 0,
  },
];

async function run(setting: Setting, { runs }: Options): Promise<Figure[]> {
  const [hook, bulks, gateway] = await Promise.all([
    startHook(setting),
    startLoad(setting),
    startMeasuredGateway(setting, {
      devices: 1,
      pacePerMinute: null,
      network: 'simulator',
      workerEnv: { KURIR_WEBHOOK_PRIVATE_ADDRESSES: 'loopback' },
    }),
  ]);
  await openWebhook(gateway, hook.url);
  const stage = { gateway, hook, bulks };
  const [alone, beside, sent]: [Found[], Found[], number[]] = [[], [], []];
  for (let n = 1; n <= runs; n++) {
    await forgetMessages(gateway);
    alone.push(await measure(stage, `alone-${n}`));
    const found = await besideBroadcast(stage, `beside-${n}`);
    beside.push(found);
    sent.push(found.sent);
    const p99s = [alone, beside].map((list) => list.at(-1)?.p99.toFixed(0)).join(', ');
    setting.tell(`inbound: run ${n} of ${runs}: p99 ${p99s} ms`);
  }
  return [
    ...figuresOf('nothing else', alone),
    ...figuresOf('beside a broadcast', beside),
    { name: 'inbound: messages of the broadcast sent meanwhile', value: median(sent), unit: '', digits: 0 },
    { name: 'inbound: arrived twice', value: hook.repeats, unit: 'messages', digits: 0, atMost: 0 },
  ];
}

export const inbound: Study = { name: 'inbound', run };
