/**
 * Somebody who cannot leave a running broadcast alone: pauses and resumes it, and changes its pace and its devices. Meanwhile
 * an observer checks that the counts add up at every look.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { KurirClient } from '@kurir/client';
import type { Random } from '../plan/random.js';

export type Pause = { readonly askedAt: number; readonly resumedAt: number };

export type Operator = {
  readonly client: KurirClient;
  readonly broadcastId: string;
  readonly people: number;
  readonly random: Random;
  /** Counts that did not add up, and outcomes that changed after the end. */
  readonly findings: string[];
};

const longestRunMs = 4_000;
const [shortestPauseMs, longestPauseMs] = [200, 2_500];

/** Null: it was not running. */
async function pauseOnce({ client, broadcastId, random }: Operator): Promise<Pause | null> {
  const askedAt = Date.now();
  const paused = await client.pauseBroadcast(broadcastId).catch(() => null);
  if (paused === null) return null;
  await sleep(random.whole(shortestPauseMs, longestPauseMs));
  const resumedAt = Date.now();
  await client.resumeBroadcast(broadcastId);
  return { askedAt, resumedAt };
}

export async function pauseAgainAndAgain(operator: Operator, count: number): Promise<Pause[]> {
  const pauses: Pause[] = [];
  while (pauses.length < count) {
    await sleep(operator.random.whole(0, longestRunMs));
    if (await isOver(operator)) return pauses;
    const pause = await pauseOnce(operator);
    if (pause !== null) pauses.push(pause);
  }
  return pauses;
}

const longestEditMs = 3_000;
const slowPerMinute = 12_000;

/** Takes some devices away and gives them back, and slows the broadcast down and lets it go. Returns how many edits. */
export async function editAgainAndAgain(operator: Operator, deviceIds: readonly string[], signal: AbortSignal) {
  const { client, broadcastId, random } = operator;
  for (let edits = 0; ; edits += 1) {
    await sleep(random.whole(0, longestEditMs));
    if (signal.aborted) {
      await client
        .updateBroadcast(broadcastId, { deviceIds: [...deviceIds], pacePerMinute: null })
        .catch(() => undefined);
      return edits;
    }
    const left = deviceIds.filter(() => random.chance(0.7));
    const change = random.chance(0.5)
      ? { deviceIds: left.length === 0 ? [...deviceIds] : left }
      : { pacePerMinute: random.chance(0.5) ? slowPerMinute : null };
    // An edit crosses the end of the broadcast.
    await client.updateBroadcast(broadcastId, change).catch(() => undefined);
  }
}

const isOver = async ({ client, broadcastId }: Operator) =>
  ['finished', 'cancelled'].includes((await client.getBroadcast(broadcastId)).broadcast.state);

const lookEveryMs = 250;
const tellEvery = 40;

/** Nothing that an attack does takes longer. */
const stuckAfterMs = 60_000;

/** Looks until the broadcast is over or stuck. Returns how many looks. */
export async function watchCounts(operator: Operator, tell: (text: string) => void): Promise<number> {
  const { client, broadcastId, people, findings } = operator;
  let [before, movedAt] = ['', Date.now()];
  for (let looks = 1; ; looks += 1) {
    const { broadcast, counts } = await client.getBroadcast(broadcastId);
    const messages = Object.values(counts.messages).reduce((sum, count) => sum + count, 0);
    const skipped = counts.skipped.reduce((sum, { count }) => sum + count, 0);
    if (counts.pending + skipped + messages !== people)
      findings.push(`${counts.pending} pending, ${skipped} skipped and ${messages} messages are not ${people}`);
    if (looks % tellEvery === 0) tell(`${broadcast.state}: ${messages} of ${people} released`);
    if (broadcast.state === 'finished' || broadcast.state === 'cancelled') return looks;
    const now = JSON.stringify([broadcast.state, counts]);
    if (now !== before) [before, movedAt] = [now, Date.now()];
    if (Date.now() - movedAt > stuckAfterMs) {
      findings.push(`nothing moves any more: it is ${broadcast.state}, and the counts are ${JSON.stringify(counts)}`);
      return looks;
    }
    await sleep(lookEveryMs);
  }
}
