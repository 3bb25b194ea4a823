/**
 * One large broadcast over many devices. Its workers are killed again and again, and somebody pauses, resumes and changes it
 * meanwhile. Each person must get exactly one message. Then marketing goes out, while its hours end and people opt out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type KurirClient } from '@kurir/client';
import {
  editAgainAndAgain,
  type Operator,
  type Pause,
  pauseAgainAndAgain,
  watchCounts,
} from '../broadcasts/operator.js';
import {
  closeAgainAndAgain,
  findAtNight,
  moveAccount,
  optOutAgainAndAgain,
  type QuietHours,
  type Span,
  wholeDay,
} from '../broadcasts/quiet-hours.js';
import { type NetworkSaw, phoneOf, readNetwork, type ShownMessage } from '../broadcasts/people.js';
import { findMutation } from '../mutations/mutations.js';
import type { DevicePlan } from '../plan/device-plan.js';
import { createRandom, type Random } from '../plan/random.js';
import { type AttackedSystem, startAttackedSystem, type SystemOptions } from '../processes/attacked-system.js';
import type { ServerCommands } from '../processes/servers.js';
import { requireApplied, requireFound } from './require-broken.js';

export type BroadcastsOptions = {
  readonly directory: string;
  readonly commands: ServerCommands;
  readonly seed: string;
  /** How many kills. */
  readonly faults: number;
  readonly mutant: string | null;
  readonly tell: (text: string) => void;
};

export type BroadcastsReport = {
  readonly seed: string;
  readonly people: number;
  readonly kills: number;
  readonly pauses: number;
  readonly edits: number;
  readonly looks_at_the_counts: number;
  readonly seconds: number;
  readonly ms_from_pause_to_last_message: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly shown_once: number;
  readonly marketing: Readonly<Record<string, number>>;
  readonly findings: readonly string[];
};

const devicePlan: DevicePlan = { accounts: 1, devicesEach: 20, politeEach: 0 };
const peoplePerKill = 2_500;
const peoplePerClosing = 1_500;
const pausesPerKill = 1.25;
const rowsOfRequest = 10_000;
const longestLifeMs = 8_000;
const pausedWithinMs = 2_000;
const shownOfEach = 5;

async function addPeople(client: KurirClient, broadcastId: string, { from, to }: Span): Promise<void> {
  for (let after = 0; after < to - from; after += rowsOfRequest) {
    const rows = Array.from({ length: Math.min(rowsOfRequest, to - from - after) }, (_, i) => ({
      phone: phoneOf(from + after + i),
      values: { nomor: String(from + after + i) },
    }));
    await client.addBroadcastRecipients(broadcastId, { after, rows });
  }
}

async function createBroadcast(client: KurirClient, deviceIds: readonly string[], people: Span): Promise<string> {
  const { broadcastId } = await client.createBroadcast({
    name: 'Attack',
    message: 'Pesan {{nomor}}',
    category: 'transactional',
    deviceIds: [...deviceIds],
  });
  await addPeople(client, broadcastId, people);
  return broadcastId;
}

async function killAgainAndAgain({ gateway }: AttackedSystem, random: Random, count: number, signal: AbortSignal) {
  for (let kills = 0; kills < count; kills += 1) {
    await sleep(random.whole(longestLifeMs / 4, longestLifeMs));
    if (signal.aborted) return kills;
    const { program } = random.pick(gateway.workers);
    await program.untilReady();
    await program.end('SIGKILL');
  }
  return count;
}

/** How long after a pause the last message was shown that went out before the resume. */
const msAfterPause = ({ askedAt, resumedAt }: Pause, shown: readonly ShownMessage[]): number =>
  Math.max(0, ...shown.flatMap(({ at }) => (at > askedAt && at < resumedAt ? [at - askedAt] : [])));

/** Each person must have been shown one message with the own number, or none and an outcome that says so. */
function compare(people: number, { shown, refused }: NetworkSaw, outcomes: ReadonlyMap<string, string>): string[] {
  const counts = new Map<string, number>();
  const findings: string[] = [];
  for (const { recipient, text } of shown) {
    counts.set(recipient, (counts.get(recipient) ?? 0) + 1);
    if (phoneOf(Number(text.slice('Pesan '.length))) !== recipient) findings.push(`${recipient} was shown "${text}"`);
  }
  const delivered = new Set(['sent', 'delivered', 'read']);
  for (let i = 0; i < people; i += 1) {
    const phone = phoneOf(i);
    const [count, outcome] = [counts.get(phone) ?? 0, outcomes.get(phone) ?? 'none'];
    if (count > 1) findings.push(`${phone} was shown ${count} messages`);
    const isRefused = outcome === 'failed' && refused.has(phone);
    if (count === 0 && outcome !== 'unknown' && !isRefused)
      findings.push(`${phone} was shown nothing, and its outcome is ${outcome}`);
    if (count === 1 && outcome !== 'unknown' && !delivered.has(outcome))
      findings.push(`${phone} was shown a message, and its outcome is ${outcome}`);
  }
  return findings;
}

async function readOutcomes({ servers }: AttackedSystem, broadcastId: string): Promise<Map<string, string>> {
  const { rows } = await servers.database.pool.query<{ recipient: string; outcome: string }>(
    `SELECT r.recipient, CASE r.state WHEN 0 THEN 'pending' WHEN 1 THEN 'skipped' ELSE coalesce(m.status, 'without a message') END AS outcome
     FROM broadcast_recipients r LEFT JOIN messages m ON m.id = r.message_id WHERE r.broadcast_id = $1`,
    [broadcastId],
  );
  return new Map(rows.map(({ recipient, outcome }) => [recipient, outcome]));
}

async function findStray({ servers }: AttackedSystem, broadcastId: string): Promise<string[]> {
  const { rows } = await servers.database.pool.query<{
    stray: number;
    reserved: number;
    taken: number;
    charged: number;
  }>(
    `SELECT (SELECT count(*)::int FROM messages m LEFT JOIN broadcast_recipients r ON r.message_id = m.id
             WHERE m.broadcast_id = $1 AND r.message_id IS NULL) AS stray,
       p.reserved_quota AS reserved, p.taken_quota AS taken,
       (SELECT count(*)::int FROM messages m WHERE m.period_id = p.id AND m.status NOT IN ('failed', 'expired', 'cancelled')) AS charged
     FROM broadcasts b JOIN subscription_periods p ON p.account_id = b.account_id WHERE b.id = $1`,
    [broadcastId],
  );
  return rows.flatMap(({ stray, reserved, taken, charged }) => [
    ...(stray === 0 ? [] : [`${stray} messages belong to nobody of the list`]),
    ...(reserved === 0 ? [] : [`${reserved} of the quota is still set aside`]),
    ...(taken === charged ? [] : [`${taken} of the quota is taken, for ${charged} messages`]),
  ]);
}

function countEach(values: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

async function playMarketing(
  system: AttackedSystem,
  { seed, faults, tell }: BroadcastsOptions,
  client: KurirClient,
  people: Span,
): Promise<Pick<BroadcastsReport, 'marketing' | 'findings'>> {
  const { database } = system.servers;
  const [account] = system.accounts;
  if (account === undefined) throw new Error('there is no account');
  const { accountId, deviceIds } = account;
  const hour = await moveAccount(database, accountId);
  const { broadcastId } = await client.createBroadcast({
    name: 'Promo',
    message: 'Promo {{nomor}}',
    deviceIds: [...deviceIds],
    window: wholeDay,
    // Many opt out, and the broadcast must go on.
    guards: { failedPercent: null, optedOutPercent: null },
  });
  await addPeople(client, broadcastId, people);
  await client.checkBroadcast(broadcastId);
  tell('marketing begins');
  const attackOf = (stream: string): QuietHours => ({
    client,
    database,
    broadcastId,
    accountId,
    random: createRandom(seed, stream),
    people,
  });
  const over = new AbortController();
  const findings: string[] = [];
  await client.startBroadcast(broadcastId, { confirmAnyHour: true });
  const killing = killAgainAndAgain(system, createRandom(seed, 'kills at night'), faults, over.signal);
  const closing = closeAgainAndAgain(attackOf('closings'), hour, faults);
  const leaving = optOutAgainAndAgain(attackOf('opt-outs'), over.signal);
  const operator = {
    client,
    broadcastId,
    people: people.to - people.from,
    random: createRandom(seed, 'none'),
    findings,
  };
  await watchCounts(operator, tell);
  over.abort();
  const [kills, closed, optedOut] = [await killing, await closing, await leaving];
  const shown = (await readNetwork(system.gateway.networkJournal)).shown.filter(({ text }) =>
    text.startsWith('Promo '),
  );
  findings.push(...(await findAtNight(attackOf('none'), closed, optedOut, shown)));
  const outcomes = countEach((await readOutcomes(system, broadcastId)).values());
  return {
    marketing: { people: operator.people, kills, closings: closed.length, opted_out: optedOut.size, ...outcomes },
    findings,
  };
}

async function play(system: AttackedSystem, options: BroadcastsOptions): Promise<BroadcastsReport> {
  const { seed, faults, tell } = options;
  const people = faults * peoplePerKill;
  const [account] = system.accounts;
  const [port] = system.gateway.apiPorts;
  if (account === undefined || port === undefined) throw new Error('there is no account');
  const { apiKey, apiSecret } = account;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey, apiSecret });
  const broadcastId = await createBroadcast(client, account.deviceIds, { from: 0, to: people });
  const { sendable } = await client.checkBroadcast(broadcastId);
  tell(`the broadcast to ${sendable} people begins`);
  const findings: string[] = [];
  const operator = (stream: string): Operator => ({
    client,
    broadcastId,
    people,
    random: createRandom(seed, stream),
    findings,
  });
  const over = new AbortController();
  const begunAt = Date.now();
  await client.startBroadcast(broadcastId);
  const killing = killAgainAndAgain(system, createRandom(seed, 'kills'), faults, over.signal);
  const editing = editAgainAndAgain(operator('edits'), account.deviceIds, over.signal);
  const pausing = pauseAgainAndAgain(operator('pauses'), Math.round(faults * pausesPerKill));
  void Promise.all([killing, pausing]).then(() => over.abort());
  const looks = await watchCounts(operator('looks'), tell);
  const seconds = Math.round((Date.now() - begunAt) / 1_000);
  over.abort();
  const [kills, edits, pauses] = [await killing, await editing, await pausing];
  const network = await readNetwork(system.gateway.networkJournal);
  const { shown } = network;
  const outcomes = await readOutcomes(system, broadcastId);
  findings.push(...compare(people, network, outcomes), ...(await findStray(system, broadcastId)));
  const atNight = await playMarketing(system, options, client, {
    from: people,
    to: people + faults * peoplePerClosing,
  });
  findings.push(...atNight.findings);
  const lastAfterPause = Math.max(0, ...pauses.map((pause) => msAfterPause(pause, shown)));
  if (lastAfterPause > pausedWithinMs) findings.push(`a message was shown ${lastAfterPause} ms after a pause`);
  return {
    seed,
    people,
    kills,
    pauses: pauses.length,
    edits,
    looks_at_the_counts: looks,
    seconds,
    ms_from_pause_to_last_message: lastAfterPause,
    outcomes: countEach(outcomes.values()),
    marketing: atNight.marketing,
    shown_once: new Set(shown.map(({ recipient }) => recipient)).size,
    findings: [
      ...findings.slice(0, shownOfEach),
      ...(findings.length > shownOfEach ? [`and ${findings.length - shownOfEach} more`] : []),
    ],
  };
}

function brokenBy(mutant: string | null): Pick<SystemOptions, 'imports' | 'env'> {
  if (mutant === null) return { imports: [], env: {} };
  const mutation = findMutation(mutant);
  requireFound(mutation);
  const imports = [new URL('../mutations/mutate.js', import.meta.url).href];
  return { imports, env: { ...mutation.env, TORTURE_MUTANT: mutant } };
}

export async function runBroadcasts(options: BroadcastsOptions): Promise<BroadcastsReport> {
  const { mutant, directory } = options;
  const system = await startAttackedSystem({ ...options, devicePlan, workers: 2, ...brokenBy(mutant) });
  try {
    if (mutant !== null) requireApplied(findMutation(mutant), mutant, directory, system.gateway);
    return await play(system, options);
  } finally {
    await system.stop();
  }
}
