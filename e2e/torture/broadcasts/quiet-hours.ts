/**
 * Marketing whose hours end and begin again and again, while people opt out. After the hours have ended, no claim may take a
 * message, and none may take one for a person who opted out. The claims stand in the event log, with the time at which their
 * statement began.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { KurirClient } from '@kurir/client';
import type { Database } from '@kurir/database';
import type { Random } from '../plan/random.js';
import { phoneOf, type ShownMessage } from './people.js';

export type Span = { readonly from: number; readonly to: number };

export type QuietHours = {
  readonly client: KurirClient;
  readonly database: Database;
  readonly broadcastId: string;
  readonly accountId: string;
  readonly random: Random;
  /** The numbers of its people. */
  readonly people: Span;
};

/** Countries with one time zone, far from each other. */
const countries = { KE: 'Africa/Nairobi', PE: 'America/Lima' } as const;

const hourIn = (timeZone: string) =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format());

/** Moves the account to a country where the day does not end during the attack. Returns the hour there. */
export async function moveAccount({ pool }: Database, accountId: string): Promise<number> {
  const country = hourIn(countries.KE) < 22 ? 'KE' : 'PE';
  await pool.query('UPDATE accounts SET country = $2 WHERE id = $1', [accountId, country]);
  return hourIn(countries[country]);
}

export const wholeDay = { from: '00:00', to: '24:00', zone: 'account' } as const;

function hourFarFrom(hour: number) {
  const from = (hour + 12) % 23;
  const clock = (value: number) => `${String(value).padStart(2, '0')}:00`;
  return { from: clock(from), to: clock(from + 1), zone: 'account' } as const;
}

const longestOpenMs = 2_500;
const [shortestClosedMs, longestClosedMs] = [500, 4_000];

/** Ends the hours and lets them begin again. Returns the times at which they had ended. */
export async function closeAgainAndAgain({ client, broadcastId, random }: QuietHours, hour: number, count: number) {
  const closed: Span[] = [];
  const change = (window: typeof wholeDay | ReturnType<typeof hourFarFrom>) =>
    client.updateBroadcast(broadcastId, { window, confirmAnyHour: true });
  while (closed.length < count) {
    await sleep(random.whole(0, longestOpenMs));
    // The closing crosses the end of the broadcast.
    if ((await change(hourFarFrom(hour)).catch(() => null)) === null) break;
    const from = Date.now();
    await sleep(random.whole(shortestClosedMs, longestClosedMs));
    closed.push({ from, to: Date.now() });
    if ((await change(wholeDay).catch(() => null)) === null) break;
  }
  return closed;
}

const optOutEveryMs = 400;
const optOutAtOnce = 10;

/** Returns when each person had opted out. */
export async function optOutAgainAndAgain({ client, random, people }: QuietHours, signal: AbortSignal) {
  const optedOut = new Map<string, number>();
  while (!signal.aborted) {
    await sleep(random.whole(0, optOutEveryMs));
    const some = Array.from({ length: optOutAtOnce }, () => phoneOf(random.whole(people.from, people.to - 1)));
    const phones = [...new Set(some)].filter((phone) => !optedOut.has(phone));
    if (phones.length === 0) continue;
    await client.addSuppressions({ phones, scope: 'marketing' });
    for (const phone of phones) optedOut.set(phone, Date.now());
  }
  return optedOut;
}

type Claim = { readonly recipient: string; readonly at: Date };

async function readClaims({ database, broadcastId, accountId }: QuietHours): Promise<Claim[]> {
  const { rows } = await database.pool.query<Claim>(
    `SELECT m.recipient, e.at FROM messages m JOIN events e ON e.account_id = $2 AND e.subject_id = m.id
     WHERE m.broadcast_id = $1 AND e.kind = 'message.sending'`,
    [broadcastId, accountId],
  );
  return rows;
}

/** Reads what was claimed too late, and who got more than one message. */
export async function findAtNight(
  attack: QuietHours,
  closed: readonly Span[],
  optedOut: ReadonlyMap<string, number>,
  shown: readonly ShownMessage[],
): Promise<string[]> {
  const claims = await readClaims(attack);
  const findings = claims.flatMap(({ recipient, at }) => {
    const atMs = at.getTime();
    const outMs = optedOut.get(recipient) ?? Number.POSITIVE_INFINITY;
    return [
      ...(closed.some(({ from, to }) => atMs > from && atMs < to) ? [`${recipient} was claimed after the hours`] : []),
      ...(atMs > outMs ? [`${recipient} was claimed ${atMs - outMs} ms after the person opted out`] : []),
    ];
  });
  const counts = new Map<string, number>();
  for (const { recipient } of shown) counts.set(recipient, (counts.get(recipient) ?? 0) + 1);
  for (const [recipient, count] of counts)
    if (count > 1) findings.push(`${recipient} was shown ${count} marketing messages`);
  if (claims.length === 0) findings.push('no marketing was claimed, so the hours were not attacked');
  return findings;
}
