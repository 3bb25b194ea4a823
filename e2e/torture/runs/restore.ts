/**
 * Returns Postgres to moments in the middle of the load, as docs/backup.md says it, with an empty Redis, as on another
 * machine. The restored Postgres has handed out fewer transaction ids, so the same ids come again.
 *
 * Each restore has a gap: from its moment until the programs work again. The database does not know messages that were
 * accepted in a gap, although some went out. All others must be stored, ended, and shown once.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { settleRestored } from '@kurir/database/restore';
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
import { createRandom, type Random } from '../plan/random.js';
import { type AttackedSystem, startAttackedSystem } from '../processes/attacked-system.js';
import { type BackedUpPostgres, backUp } from '../processes/backed-up-postgres.js';
import type { ServerCommands } from '../processes/servers.js';
import { type ClientRecord, openClientRecord } from '../records/client-record.js';
import { readDatabaseRecord } from '../records/database-record.js';
import type { EventRecord } from '../records/event-record.js';
import type { InboundRecord } from '../records/inbound-record.js';
import { readNetworkRecord } from '../records/network-record.js';
import { type Seen, seenMessages } from '../records/records.js';
import { describeFindings } from '../report/describe-findings.js';
import { untilDecided } from './judge.js';
import { readUnfinished } from './settle.js';

export type RestoreOptions = {
  readonly directory: string;
  readonly commands: ServerCommands;
  readonly seed: string;
  /** How many times Postgres returns to a moment. */
  readonly faults: number;
  readonly tell: (text: string) => void;
};

export type RestoreReport = {
  readonly seed: string;
  readonly restores: number;
  readonly accepted: number;
  /** Accepted between a moment and the restore to it, so the database does not know them. */
  readonly accepted_in_a_gap: number;
  /** The messages of a gap that had gone out. */
  readonly gone_out_in_a_gap: number;
  /** Waited at a moment, had gone out since, and went again under their old id: the network dropped them. */
  readonly repeats_dropped_by_the_network: number;
  /** Were being sent at a moment, or waited and expired. */
  readonly unknown: number;
  readonly people_wrote: number;
  readonly events_logged: number;
  readonly events_read_from_the_feed: number;
  readonly events_taken_by_webhooks: number;
  readonly readers_told_that_their_cursor_expired: number;
  readonly findings: readonly string[];
};

const devicePlan: DevicePlan = { accounts: 4, devicesEach: 2, politeEach: 0 };
const perSecond = 60;
const inboundPerSecond = 20;
const loadedMs = 4_000;
/** So long after the moment the load goes on, at most. */
const longestGapMs = 4_000;
const finishedWithinMs = 120_000;

type Gap = { readonly moment: number; readonly until: number };

/** People and customers write while `during` runs. Resolves when each request is answered. */
async function work<T>(
  system: AttackedSystem,
  { seed }: RestoreOptions,
  record: ClientRecord,
  during: () => Promise<T>,
): Promise<T> {
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
  const result = await during();
  await people.stop();
  await untilDecided(load);
  client.close();
  return result;
}

/** The end of the gap is the moment at which the programs work again. */
async function restore(system: AttackedSystem, postgres: BackedUpPostgres, moment: number): Promise<Gap> {
  const { apis, workers } = system.gateway;
  const programs = [...apis, ...workers.map(({ program }) => program)];
  await Promise.all(programs.map((program) => program.stop()));
  await postgres.returnTo(moment);
  await settleRestored(system.servers.database, 'torture');
  await system.servers.wipeRedis();
  for (const program of programs) program.start();
  await Promise.all(programs.map((program) => program.untilReady()));
  return { moment, until: Date.now() };
}

/** Copies the files in the middle of the load, and returns to a later moment of the same load. */
async function restoreUnderLoad(
  system: AttackedSystem,
  options: RestoreOptions,
  record: ClientRecord,
  { postgres, random }: { readonly postgres: BackedUpPostgres; readonly random: Random },
): Promise<Gap> {
  const moment = await work(system, options, record, async () => {
    await sleep(loadedMs / 2);
    await postgres.copyFiles();
    await sleep(loadedMs / 2);
    const now = Date.now();
    await sleep(random.next() * longestGapMs);
    return now;
  });
  return restore(system, postgres, moment);
}

/** The network heard before the moment that a message is stored, or a person wrote it after the restore. */
const judgedInbound = (inbound: InboundRecord, gaps: readonly Gap[]): InboundRecord => ({
  ...inbound,
  written: inbound.written.filter(({ at, acknowledgedAt }) =>
    gaps.every(({ moment, until }) => at > until || (acknowledgedAt !== null && acknowledgedAt < moment)),
  ),
});

function findCursorsThatStillCount({ expirations }: EventRecord): Finding[] {
  return expirations.flatMap((count, reader) =>
    count > 0 ? [] : [finding('events_missing_from_the_feed', `reader ${reader} was not told of the restore`)],
  );
}

/** The answer came at or after the moment, so the message may be newer than the moment. */
const isOfGap = ({ recorded }: Seen, gaps: readonly Gap[]): boolean =>
  recorded?.verdict?.kind === 'accepted' &&
  gaps.some(({ moment, until }) => (recorded.verdict?.at ?? 0) >= moment && recorded.asked.askedAt <= until);

const wasAccepted = ({ recorded }: Seen): boolean => recorded?.verdict?.kind === 'accepted';

function findLostInRestores(messages: readonly Seen[], gaps: readonly Gap[]): Finding[] {
  return messages.filter(wasAccepted).flatMap((seen) => {
    const { ref, row } = seen;
    if (row === null) return isOfGap(seen, gaps) ? [] : [finding('lost', `${ref} is not stored`)];
    return row.status === 'queued' || row.status === 'sending'
      ? [finding('lost', `${ref} is still ${row.status}`)]
      : [];
  });
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

async function readSeen({ servers, gateway }: AttackedSystem, record: ClientRecord) {
  const database = await readDatabaseRecord(servers.database);
  const network = await readNetworkRecord(gateway.networkJournal);
  const messages = seenMessages({ client: record.byRef, database, network, accountIds: [], deviceIds: [] });
  return { messages, repeatsDropped: network.repeatsDropped };
}

async function play(system: AttackedSystem, options: RestoreOptions, watched: WatchedEvents): Promise<RestoreReport> {
  const { directory, commands, seed, faults, tell } = options;
  const record = openClientRecord(join(directory, 'client.jsonl'));
  const random = createRandom(seed, 'moments');
  const postgres = await backUp(system.servers, commands);
  const gaps: Gap[] = [];
  while (gaps.length < faults) {
    gaps.push(await restoreUnderLoad(system, options, record, { postgres, random }));
    tell(`restore ${gaps.length} of ${faults}`);
  }
  await work(system, options, record, () => sleep(loadedMs));
  await untilFinished(system, tell);
  const { inbound, events } = await settleEvents(system, watched, tell);
  const { messages, repeatsDropped } = await readSeen(system, record);
  const ofGaps = messages.filter((seen) => seen.row === null && isOfGap(seen, gaps));
  const findings = [
    ...findLostInRestores(messages, gaps),
    ...findShownTwice(messages),
    ...findWrongDeliveries(events),
    ...findWrongInbound(judgedInbound(inbound, gaps), [...events.webhooks, ...events.feed]),
    ...findCursorsThatStillCount(events),
  ];
  return {
    seed,
    restores: gaps.length,
    accepted: messages.filter(wasAccepted).length,
    accepted_in_a_gap: ofGaps.length,
    gone_out_in_a_gap: ofGaps.filter(({ shown }) => shown.length > 0).length,
    repeats_dropped_by_the_network: repeatsDropped,
    unknown: messages.filter(({ row }) => row?.status === 'unknown').length,
    people_wrote: inbound.written.length,
    events_logged: events.logged.length,
    events_read_from_the_feed: events.feed.length,
    events_taken_by_webhooks: events.webhooks.length,
    readers_told_that_their_cursor_expired: events.expirations.filter((count) => count > 0).length,
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
