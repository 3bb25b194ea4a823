/**
 * Restores a backup of Postgres under programs that read events. A copy of its files is made in the middle of the load.
 * Later everything stops, the copy takes the place of the files, and Redis is empty, as on another machine. The copy
 * has handed out fewer transaction ids, so the same ids come again.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { noteRestore } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { findWrongDeliveries } from '../checks/deliveries.js';
import { type Finding, finding } from '../checks/findings.js';
import { findWrongInbound } from '../checks/inbound.js';
import { findShownTwice } from '../checks/shown-twice.js';
import { openGatewayClient } from '../client/gateway-client.js';
import { Load } from '../client/load.js';
import { startPeople } from '../client/people.js';
import { settleEvents } from '../events/settle-events.js';
import { type WatchedEvents, watchEvents } from '../events/watched-events.js';
import type { DevicePlan } from '../plan/device-plan.js';
import { createRandom } from '../plan/random.js';
import { type AttackedSystem, startAttackedSystem } from '../processes/attacked-system.js';
import type { ServerCommands } from '../processes/servers.js';
import { type ClientRecord, openClientRecord } from '../records/client-record.js';
import { readDatabaseRecord } from '../records/database-record.js';
import type { EventRecord } from '../records/event-record.js';
import type { InboundRecord } from '../records/inbound-record.js';
import { readNetworkRecord } from '../records/network-record.js';
import { seenMessages } from '../records/records.js';
import { describeFindings } from '../report/describe-findings.js';
import { untilDecided } from './judge.js';
import { readUnfinished } from './settle.js';

export type RestoreOptions = {
  readonly directory: string;
  readonly commands: ServerCommands;
  readonly seed: string;
  readonly tell: (text: string) => void;
};

export type RestoreReport = {
  readonly seed: string;
  readonly accepted: number;
  readonly people_wrote: number;
  readonly events_logged: number;
  readonly events_read_from_the_feed: number;
  readonly events_taken_by_webhooks: number;
  /** Events that the webhooks took before the restore, and that the backup does not know. */
  readonly events_lost_with_the_newer_data: number;
  /** Events that the webhooks took before the restore and once more after it. */
  readonly events_taken_again_after_the_restore: number;
  readonly readers_told_that_their_cursor_expired: number;
  readonly findings: readonly string[];
};

const devicePlan: DevicePlan = { accounts: 4, devicesEach: 2, politeEach: 0 };
const perSecond = 60;
const inboundPerSecond = 20;
const loadedMs = 8_000;
/** Longer than a message of a person waits while Postgres starts again. */
const storedWithinMs = 5_000;
const finishedWithinMs = 120_000;

/** People and customers write for a while. Resolves when each request is answered. */
async function work(
  system: AttackedSystem,
  { seed }: RestoreOptions,
  record: ClientRecord,
  middle?: () => Promise<void>,
) {
  const { accounts, gateway, deviceIds } = system;
  const client = openGatewayClient(gateway.apiPorts);
  const random = createRandom(seed, `load ${record.byRef.size}`);
  const load = new Load({ random, accounts, devicePlan, record, client, perSecond, isBehind: () => false });
  const people = startPeople({
    simulatorUrl: gateway.simulatorUrl,
    devices: deviceIds.length,
    random: createRandom(seed, `people ${record.byRef.size}`),
    perSecond: inboundPerSecond,
  });
  await sleep(loadedMs);
  await middle?.();
  if (middle !== undefined) await sleep(loadedMs);
  await people.stop();
  await untilDecided(load);
  client.close();
  return load.accepted;
}

/** Replaces the files of Postgres. It ends cleanly, because a copy of files that still change would be worth nothing. */
async function copyFiles({ servers }: AttackedSystem, from: string, to: string): Promise<void> {
  await servers.postgres.end('SIGINT', 0, () => {
    rmSync(to, { recursive: true, force: true });
    execFileSync('cp', ['-a', from, to]);
  });
  await servers.postgres.untilReady();
}

async function restore(system: AttackedSystem, backup: string, data: string): Promise<void> {
  const { apis, workers } = system.gateway;
  const programs = [...apis, ...workers.map(({ program }) => program)];
  await Promise.all(programs.map((program) => program.stop()));
  await copyFiles(system, backup, data);
  await noteRestore(system.servers.database);
  await system.servers.wipeRedis();
  for (const program of programs) program.start();
  await Promise.all(programs.map((program) => program.untilReady()));
}

type Times = { readonly backupAt: number; readonly restoredAt: number; readonly deliveriesBefore: number };

/** A restore loses what was written between the backup and itself. */
const judgedInbound = (inbound: InboundRecord, { backupAt, restoredAt }: Times): InboundRecord => ({
  ...inbound,
  written: inbound.written.filter(({ at }) => at < backupAt - storedWithinMs || at > restoredAt),
});

function findCursorsThatStillCount({ expirations }: EventRecord): Finding[] {
  return expirations.flatMap((count, reader) =>
    count > 0 ? [] : [finding('events_missing_from_the_feed', `reader ${reader} was not told of the restore`)],
  );
}

async function findRepeatsAtPhones(system: AttackedSystem, record: ClientRecord): Promise<Finding[]> {
  const [database, network] = [
    await readDatabaseRecord(system.servers.database),
    await readNetworkRecord(system.gateway.networkJournal),
  ];
  return findShownTwice(seenMessages({ client: record.byRef, database, network, accountIds: [], deviceIds: [] }));
}

function countEvents({ webhooks, logged, feed, expirations }: EventRecord, { deliveriesBefore }: Times) {
  const before = new Set(webhooks.slice(0, deliveriesBefore).map(({ id }) => id));
  const after = new Set(webhooks.slice(deliveriesBefore).map(({ id }) => id));
  const known = new Set(logged.map(({ id }) => id));
  return {
    events_logged: logged.length,
    events_read_from_the_feed: feed.length,
    events_taken_by_webhooks: webhooks.length,
    events_lost_with_the_newer_data: [...before].filter((id) => !known.has(id)).length,
    events_taken_again_after_the_restore: [...after].filter((id) => before.has(id)).length,
    readers_told_that_their_cursor_expired: expirations.filter((count) => count > 0).length,
  };
}

/** The network reported some receipts before the restore, and does not repeat them. So nobody waits for receipts. */
async function untilFinished({ servers }: AttackedSystem, tell: (text: string) => void): Promise<void> {
  const areFinished = async () => {
    const { total } = await readUnfinished(servers.database);
    tell(`${total} messages to finish`);
    return total === 0;
  };
  await waitUntil(areFinished, { what: 'all messages are finished', timeoutMs: finishedWithinMs, everyMs: 2_000 });
}

async function play(system: AttackedSystem, options: RestoreOptions, watched: WatchedEvents): Promise<RestoreReport> {
  const { directory, commands, seed, tell } = options;
  const record = openClientRecord(join(directory, 'client.jsonl'));
  const data = dirname(commands.postgres.pidFile);
  const backup = `${data}-backup`;
  let backupAt = 0;
  const acceptedBefore = await work(system, options, record, async () => {
    backupAt = Date.now();
    await copyFiles(system, data, backup);
    tell('the files of Postgres are copied');
  });
  const deliveriesBefore = watched.deliveries();
  await restore(system, backup, data);
  const restoredAt = Date.now();
  tell('the copy is restored');
  const acceptedAfter = await work(system, options, record);
  await untilFinished(system, tell);
  const { inbound, events } = await settleEvents(system, watched, tell);
  const times = { backupAt, restoredAt, deliveriesBefore };
  const findings = [
    ...findWrongDeliveries(events),
    ...findWrongInbound(judgedInbound(inbound, times), [...events.webhooks, ...events.feed]),
    ...findCursorsThatStillCount(events),
    ...(await findRepeatsAtPhones(system, record)),
  ];
  return {
    seed,
    accepted: acceptedBefore + acceptedAfter,
    people_wrote: inbound.written.length,
    ...countEvents(events, times),
    findings: describeFindings(findings),
  };
}

export async function runRestore(options: RestoreOptions): Promise<RestoreReport> {
  const system = await startAttackedSystem({ ...options, devicePlan, workers: 2, imports: [], env: {} });
  let watched: WatchedEvents | undefined;
  try {
    watched = await watchEvents(system, options.directory, options.seed);
    return await play(system, options, watched);
  } finally {
    await watched?.stop();
    await system.stop();
  }
}
