/**
 * Kills the only worker at random moments, again and again, while people write a hundred messages a second. The leases of
 * a dead worker end at once, so that its next life takes the devices without a wait.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@kurir/testing';
import { findExpired, findWrongDeliveries } from '../checks/deliveries.js';
import { countKillsInFlight, findWrongInbound } from '../checks/inbound.js';
import { startPeople } from '../client/people.js';
import { settleEvents } from '../events/settle-events.js';
import { type WatchedEvents, watchEvents } from '../events/watched-events.js';
import type { DevicePlan } from '../plan/device-plan.js';
import { createRandom, type Random } from '../plan/random.js';
import { type AttackedSystem, startAttackedSystem } from '../processes/attacked-system.js';
import type { ServerCommands } from '../processes/servers.js';
import { describeFindings } from '../report/describe-findings.js';

export type KillsOptions = {
  readonly directory: string;
  readonly commands: ServerCommands;
  readonly seed: string;
  /** How many kills. */
  readonly faults: number;
  readonly tell: (text: string) => void;
};

export type KillsReport = {
  readonly seed: string;
  readonly kills: number;
  readonly kills_with_inbound_in_flight: number;
  readonly people_wrote: number;
  readonly repeats_of_what_people_wrote: number;
  readonly events_read_from_the_feed: number;
  readonly events_taken_by_webhooks: number;
  readonly findings: readonly string[];
};

const devicePlan: DevicePlan = { accounts: 4, devicesEach: 5, politeEach: 0 };
const inboundPerSecond = 100;
const longestLifeMs = 1_500;
const connectedWithinMs = 60_000;
const tellEvery = 10;

async function areConnected({ servers }: AttackedSystem): Promise<boolean> {
  const { rows } = await servers.database.pool.query<{ connected: boolean }>(
    `SELECT bool_and(d.state = 'connected' AND l.owner IS NOT NULL AND l.expires_at > now()) AS connected
     FROM devices d JOIN device_leases l ON l.device_id = d.id`,
  );
  return rows[0]?.connected === true;
}

async function killOnce(system: AttackedSystem, random: Random): Promise<number> {
  const [worker] = system.gateway.workers;
  if (worker === undefined) throw new Error('there is no worker');
  await worker.program.untilReady();
  const what = 'the devices are connected';
  await waitUntil(() => areConnected(system), { what, timeoutMs: connectedWithinMs, everyMs: 20 });
  await sleep(random.whole(0, longestLifeMs));
  await worker.program.end('SIGKILL');
  const at = Date.now();
  const { pool } = system.servers.database;
  await pool.query('UPDATE device_leases SET expires_at = now() WHERE expires_at > now()');
  await pool.query('UPDATE webhook_readers SET expires_at = now() WHERE expires_at > now()');
  return at;
}

async function play(system: AttackedSystem, options: KillsOptions, watched: WatchedEvents): Promise<KillsReport> {
  const { seed, faults, tell } = options;
  const random = createRandom(seed, 'kills');
  const people = startPeople({
    simulatorUrl: system.gateway.simulatorUrl,
    devices: system.deviceIds.length,
    random: createRandom(seed, 'people'),
    perSecond: inboundPerSecond,
  });
  const kills: number[] = [];
  while (kills.length < faults) {
    kills.push(await killOnce(system, random));
    if (kills.length % tellEvery === 0) tell(`${kills.length} of ${faults} kills`);
  }
  await people.stop();
  const { inbound, events } = await settleEvents(system, watched, tell);
  const findings = [
    ...findWrongDeliveries(events),
    ...findExpired(events),
    ...findWrongInbound(inbound, [...events.webhooks, ...events.feed]),
  ];
  return {
    seed,
    kills: kills.length,
    kills_with_inbound_in_flight: countKillsInFlight(kills, inbound.interruptions),
    people_wrote: inbound.written.length,
    repeats_of_what_people_wrote: inbound.repeats,
    events_read_from_the_feed: events.feed.length,
    events_taken_by_webhooks: events.webhooks.length,
    findings: describeFindings(findings),
  };
}

export async function runKills(options: KillsOptions): Promise<KillsReport> {
  const system = await startAttackedSystem({ ...options, devicePlan, workers: 1, imports: [], env: {} });
  let watched: WatchedEvents | undefined;
  try {
    watched = await watchEvents(system, options.directory, options.seed);
    return await play(system, options, watched);
  } finally {
    await watched?.stop();
    await system.stop();
  }
}
