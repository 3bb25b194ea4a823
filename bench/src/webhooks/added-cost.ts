/**
 * The cost of a webhook that gets everything while messages are accepted and sent. It compares the rate in pairs
 * of runs with and without it, and the writes of Postgres. Both sides write the log of events.
 */
import { forgetMessages, untilAllAre } from '../gateway/stored-messages.js';
import { median } from '../readings/percentile.js';
import { meterWrites, type Writes } from '../readings/write-meter.js';
import type { Figure } from '../report/figures.js';
import { writeFigures } from '../report/write-figures.js';
import { allTypes, createEndpoints, remove, untilReady, type WebhookStage } from './tenants.js';

const messages = 3_000;
const connections = 64;
const pairs = 5;
/** Accepted, sending, sent, delivered and read. */
const eventsOfMessage = 5;
const leastRatio = 0.85;

type Rates = { readonly accepted: number; readonly sent: number };
type Run = Rates & { readonly writes: Writes | null };

/** From the first acceptance to the last receipt. */
async function readSpanMs({ gateway: { database } }: WebhookStage): Promise<number> {
  const { rows } = await database.pool.query<{ ms: number }>(
    `SELECT (extract(epoch FROM max(at) - min(at)) * 1000)::float8 AS ms FROM events WHERE kind LIKE 'message.%'`,
  );
  return rows[0]?.ms ?? Number.NaN;
}

async function sendAll({ gateway, load }: WebhookStage): Promise<number> {
  const { account, deviceIds, database } = gateway;
  await load.prepare({
    target: '/api/v1/messages/send',
    requests: messages,
    messages: 1,
    priority: 'normal',
    apiKey: account.apiKey,
    apiSecret: account.apiSecret,
    deviceIds,
  });
  const { answered, elapsedMs } = await load.run({ port: gateway.apiPort, connections, seconds: null });
  await untilAllAre(database, 'read', messages);
  return (answered * 1000) / elapsedMs;
}

type Meter = (work: () => Promise<void>) => Promise<Writes | null>;

const unmetered: Meter = async (work) => {
  await work();
  return null;
};

/** Waits for the deliveries too, so that they disturb no later run. Only the sending and delivering is metered. */
async function runOnce(stage: WebhookStage, hasWebhook: boolean, meter = unmetered): Promise<Run> {
  await forgetMessages(stage.gateway);
  const endpoints = hasWebhook ? await createEndpoints(stage, stage.gateway, { count: 1, types: allTypes }) : [];
  await untilReady(stage, endpoints);
  let accepted = Number.NaN;
  const work = async () => {
    accepted = await sendAll(stage);
    await stage.receiver.untilTaken(endpoints.length * messages * eventsOfMessage);
  };
  const writes = await meter(work);
  const sent = (messages * 1000) / (await readSpanMs(stage));
  await remove(stage, endpoints);
  return { accepted, sent, writes };
}

type Pair = { readonly with: Rates; readonly without: Rates };

async function runPair(stage: WebhookStage, withFirst: boolean): Promise<Pair> {
  if (withFirst) return { with: await runOnce(stage, true), without: await runOnce(stage, false) };
  const without = await runOnce(stage, false);
  return { with: await runOnce(stage, true), without };
}

function figuresOf(name: string, found: readonly Pair[], rateOf: (rates: Rates) => number): Figure[] {
  const ratios = found.map((pair) => rateOf(pair.with) / rateOf(pair.without));
  const rates = (side: keyof Pair) => median(found.map((pair) => rateOf(pair[side])));
  const unit = { unit: 'messages/s', digits: 0 };
  return [
    { name: `${name} without a webhook`, value: rates('without'), ...unit },
    { name: `${name} with a webhook that gets all`, value: rates('with'), ...unit },
    {
      name: `${name}: with ÷ without, median of ${pairs} pairs`,
      value: median(ratios),
      unit: '',
      digits: 2,
      atLeast: leastRatio,
    },
    { name: `${name}: with ÷ without, lowest`, value: Math.min(...ratios), unit: '', digits: 2 },
    { name: `${name}: with ÷ without, highest`, value: Math.max(...ratios), unit: '', digits: 2 },
  ];
}

const writesOf = (name: string, { writes }: Run): Figure[] =>
  writes === null ? [] : writeFigures(name, writes, messages);

export async function measureAddedCost(stage: WebhookStage): Promise<Figure[]> {
  await runOnce(stage, true);
  const found: Pair[] = [];
  while (found.length < pairs) {
    const pair = await runPair(stage, found.length % 2 === 0);
    found.push(pair);
    const [a, s] = [pair.with.accepted / pair.without.accepted, pair.with.sent / pair.without.sent];
    stage.setting.tell(`events: pair ${found.length} of ${pairs}: accepted ${a.toFixed(2)}, sent ${s.toFixed(2)}`);
  }
  const meter: Meter = (work) => meterWrites(stage.gateway.database, work);
  const [without, withOne] = [await runOnce(stage, false, meter), await runOnce(stage, true, meter)];
  return [
    ...figuresOf('accepted', found, ({ accepted }) => accepted),
    ...figuresOf('accepted, sent and read', found, ({ sent }) => sent),
    ...writesOf('a message without a webhook', without),
    ...writesOf('a message with a webhook', withOne),
  ];
}
