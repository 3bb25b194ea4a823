/**
 * Measures how long devices are away after a worker is killed or stopped, and after Postgres or Redis returns. The time
 * ends with the first message from each device.
 * One-time codes become due at every device during the whole outage. The first code that arrives shows when the device
 * was back. Every code must arrive within its time to live.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@kurir/testing';
import { findExpired, findWrongDeliveries } from '../checks/deliveries.js';
import { findWrongInbound } from '../checks/inbound.js';
import { type GatewayClient, openGatewayClient } from '../client/gateway-client.js';
import { type People, startPeople } from '../client/people.js';
import { settleEvents } from '../events/settle-events.js';
import { type WatchedEvents, watchEvents } from '../events/watched-events.js';
import type { DevicePlan } from '../plan/device-plan.js';
import { createRandom } from '../plan/random.js';
import { type AttackedSystem, startAttackedSystem } from '../processes/attacked-system.js';
import type { ServerCommands } from '../processes/servers.js';
import { textOf } from '../records/message-text.js';
import { readNetworkRecord } from '../records/network-record.js';
import { describeFindings } from '../report/describe-findings.js';
import { settle } from './settle.js';

export type FailoverOptions = {
  readonly directory: string;
  readonly seed: string;
  readonly commands: ServerCommands;
  readonly tell: (text: string) => void;
};

export type Away = {
  readonly devices: number;
  readonly median_seconds: number;
  readonly worst_seconds: number;
  readonly target_seconds: number | null;
  readonly codes: number;
  readonly codes_not_delivered_in_time: number;
};

type ScenarioName = 'worker_killed' | 'worker_stopped' | 'postgres_back' | 'redis_back';

type EventFigures = {
  readonly events_read_from_the_feed: number;
  readonly events_taken_by_webhooks: number;
  readonly people_wrote: number;
};

export type FailoverReport = Readonly<Partial<Record<ScenarioName, Away>>> &
  EventFigures & { readonly findings: readonly string[] };

const accounts = 4;
const devicesEach = 50;
const codesEach = 20;
const codeEveryMs = 200;
const ttlSeconds = 30;
const balancedWithinMs = 180_000;
const acceptedWithinMs = 60_000;
const inboundPerSecond = 20;
/** The time in which the api accepts all codes, before the first one is due. */
const aheadMs = 20_000;

type Scenario = {
  readonly name: ScenarioName;
  readonly targetSeconds: number | null;
  /** Breaks something. Returns the time from which the outage counts. */
  readonly strike: (system: AttackedSystem) => Promise<{ readonly from: number }>;
  readonly devices: (system: AttackedSystem) => Promise<readonly string[]>;
};

/** The worker's name for itself in its last life, according to its log. */
function ownerOf(directory: string, name: string): string {
  const lives = [...readFileSync(`${directory}/${name}.log`, 'utf8').matchAll(/"worker":"(wrk_\w+)"/g)];
  return lives.at(-1)?.[1] ?? '';
}

async function devicesOf({ servers }: AttackedSystem, owner: string): Promise<string[]> {
  const { rows } = await servers.database.pool.query<{ device_id: string }>(
    `SELECT device_id FROM device_leases JOIN devices d ON d.id = device_id
     WHERE owner = $1 AND expires_at > now() AND d.state = 'connected'`,
    [owner],
  );
  return rows.map((row) => row.device_id);
}

/** Waits until each worker holds half of the devices, connected. */
async function untilBalanced(system: AttackedSystem, directory: string): Promise<void> {
  const half = (accounts * devicesEach) / 2;
  const what = `each worker holds ${half} devices`;
  const isBalanced = async () => {
    const held = await Promise.all(
      system.gateway.workers.map(({ program }) => devicesOf(system, ownerOf(directory, program.name))),
    );
    return held.every((devices) => devices.length === half);
  };
  await waitUntil(isBalanced, { what, timeoutMs: balancedWithinMs, everyMs: 500 });
}

/** Schedules codes for the devices, due one after the other from `dueAt` on. Resolves when all are accepted. */
async function schedule(
  system: AttackedSystem,
  client: GatewayClient,
  devices: ReadonlySet<string>,
  name: string,
  dueAt: number,
) {
  const bodyOf = (deviceId: string) =>
    JSON.stringify({
      messages: Array.from({ length: codesEach }, (_, i) => ({
        message: textOf(`${name}-${deviceId}-${i}`),
        phone_destination: '6281300000011',
        client_ref: `${name}-${deviceId}-${i}`,
        priority: 'otp',
        ttl_seconds: ttlSeconds,
        send_at: new Date(dueAt + i * codeEveryMs).toISOString(),
      })),
    });
  for (const account of system.accounts)
    for (const deviceId of account.deviceIds.filter((id) => devices.has(id))) {
      const request = { account, target: '/api/v1/messages/bulk', body: bodyOf(deviceId), deviceId };
      const isAccepted = async () => {
        const reply = await client.post(request);
        return reply.kind === 'answered' && reply.status === 200;
      };
      await waitUntil(isAccepted, { what: 'codes are accepted', timeoutMs: acceptedWithinMs });
    }
}

const rounded = (ms: number) => Math.round(ms / 10) / 100;

/**
 * Reads in the network's journal the first code of each device after `from`, and counts the codes that are missing or
 * late.
 */
async function measure(
  system: AttackedSystem,
  scenario: Scenario,
  devices: readonly string[],
  from: number,
): Promise<Away> {
  const { shown } = await readNetworkRecord(system.gateway.networkJournal);
  const firsts = new Map<string, number>();
  let missing = 0;
  for (const deviceId of devices)
    for (let i = 0; i < codesEach; i++) {
      const frame = shown.get(`${scenario.name}-${deviceId}-${i}`)?.[0];
      if (frame === undefined) missing++;
      else if (frame.at >= from) firsts.set(deviceId, Math.min(firsts.get(deviceId) ?? frame.at, frame.at));
    }
  const away = [...firsts.values()].map((at) => at - from).sort((a, b) => a - b);
  return {
    devices: away.length,
    median_seconds: rounded(away[away.length >> 1] ?? 0),
    worst_seconds: rounded(away.at(-1) ?? 0),
    target_seconds: scenario.targetSeconds,
    codes: devices.length * codesEach,
    codes_not_delivered_in_time: missing,
  };
}

function scenariosIn(directory: string): Scenario[] {
  const firstWorker = (system: AttackedSystem) => {
    const [worker] = system.gateway.workers;
    if (worker === undefined) throw new Error('there is no worker');
    return worker.program;
  };
  const all = (system: AttackedSystem) => Promise.resolve(system.deviceIds);
  const ofFirstWorker = (system: AttackedSystem) => devicesOf(system, ownerOf(directory, firstWorker(system).name));
  const endWorker = (signal: 'SIGKILL' | 'SIGTERM') => async (system: AttackedSystem) => {
    const from = Date.now();
    // The worker stays away until the other one has taken its devices.
    await firstWorker(system).end(signal, 30_000);
    return { from };
  };
  const endServer = (server: 'postgres' | 'redis', downMs: number) => async (system: AttackedSystem) => {
    await system.servers[server].end('SIGKILL', downMs);
    await system.servers[server].untilReady();
    return { from: Date.now() };
  };
  return [
    { name: 'worker_killed', targetSeconds: 20, strike: endWorker('SIGKILL'), devices: ofFirstWorker },
    { name: 'worker_stopped', targetSeconds: 3, strike: endWorker('SIGTERM'), devices: ofFirstWorker },
    { name: 'postgres_back', targetSeconds: null, strike: endServer('postgres', 1_000), devices: all },
    { name: 'redis_back', targetSeconds: null, strike: endServer('redis', 8_000), devices: all },
  ];
}

async function play(
  system: AttackedSystem,
  options: FailoverOptions,
  client: GatewayClient,
  scenario: Scenario,
): Promise<Away> {
  await untilBalanced(system, options.directory);
  const devices = await scenario.devices(system);
  options.tell(`${scenario.name.replaceAll('_', ' ')}: codes for ${devices.length} devices`);
  const dueAt = Date.now() + aheadMs;
  await schedule(system, client, new Set(devices), scenario.name, dueAt);
  await sleep(Math.max(0, dueAt - Date.now()));
  const { from } = await scenario.strike(system);
  await sleep(codesEach * codeEveryMs);
  await settle(system.servers.database, () => {});
  const away = await measure(system, scenario, devices, from);
  options.tell(`${scenario.name.replaceAll('_', ' ')}: worst ${away.worst_seconds} s`);
  return away;
}

function judge(figures: Readonly<Partial<Record<ScenarioName, Away>>>): string[] {
  return Object.entries(figures).flatMap(([name, away]) => [
    ...(away.target_seconds !== null && away.worst_seconds > away.target_seconds
      ? [`${name}: ${away.worst_seconds} s, and the target is ${away.target_seconds} s`]
      : []),
    ...(away.codes_not_delivered_in_time > 0 ? [`${name}: ${away.codes_not_delivered_in_time} codes were late`] : []),
  ]);
}

/** Messages of people must be stored. Every event must have reached the webhooks and the feed. */
async function judgeEvents(
  system: AttackedSystem,
  people: People,
  watched: WatchedEvents,
  tell: (text: string) => void,
): Promise<EventFigures & { readonly findings: readonly string[] }> {
  await people.stop();
  const { inbound, events } = await settleEvents(system, watched, tell);
  const findings = [
    ...findWrongDeliveries(events),
    ...findExpired(events),
    ...findWrongInbound(inbound, [...events.webhooks, ...events.feed]),
  ];
  return {
    events_read_from_the_feed: events.feed.length,
    events_taken_by_webhooks: events.webhooks.length,
    people_wrote: inbound.written.length,
    findings: describeFindings(findings),
  };
}

export async function runFailover(options: FailoverOptions): Promise<FailoverReport> {
  const devicePlan: DevicePlan = { accounts, devicesEach, politeEach: 0 };
  const system = await startAttackedSystem({ ...options, devicePlan, workers: 2, imports: [], env: {} });
  const client = openGatewayClient(system.gateway.apiPorts);
  let watched: WatchedEvents | undefined;
  try {
    watched = await watchEvents(system, options.directory, options.seed);
    const people = startPeople({
      simulatorUrl: system.gateway.simulatorUrl,
      devices: system.deviceIds.length,
      random: createRandom(options.seed, 'people'),
      perSecond: inboundPerSecond,
    });
    const figures: Partial<Record<ScenarioName, Away>> = {};
    for (const scenario of scenariosIn(options.directory))
      figures[scenario.name] = await play(system, options, client, scenario);
    const { findings, ...events } = await judgeEvents(system, people, watched, options.tell);
    return { ...figures, ...events, findings: [...judge(figures), ...findings] };
  } finally {
    client.close();
    await watched?.stop();
    await system.stop();
  }
}
