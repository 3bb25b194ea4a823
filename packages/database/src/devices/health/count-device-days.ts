/**
 * Counts what became of the messages of each device, by UTC day. A pass counts today and yesterday anew and replaces their
 * rows, so it may run again at any time. Nothing is written before a day is counted to its end: a killed pass leaves the
 * rows of the last one. A message has until the end of the next day to arrive; later receipts do not count.
 *
 * A message belongs to the day of its acceptance, with which its id begins, or to the day for which it is scheduled. A
 * pass reads pages of the indexes of ids and of these times, with pauses, and never a whole table.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { healthDays } from '@kurir/contracts';
import type pg from 'pg';
import { advisoryLocks } from '../../postgres/advisory-locks.js';
import type { Database } from '../../postgres/connect.js';
import { whileAlone } from '../../postgres/chores/while-alone.js';
import { type Counts, type PageOfDay, pagesOfDay } from './pages-of-day.js';

const dayMs = 86_400_000;
/** After a page, Postgres is free for this many times as long as the page took. */
const pauseFactor = 4;
/** A worker does not count again what another one counted so recently. */
const usuallyFreshForMs = 240_000;

const nothing: Counts = { sent: 0, delivered: 0, failed: 0, refused: 0, unknown: 0, answers: 0, opted_out: 0 };
const columns = Object.keys(nothing) as readonly (keyof Counts)[];

function add(totals: Map<string, Counts>, { counts }: PageOfDay): void {
  for (const { device_id: deviceId, ...more } of counts) {
    const before = totals.get(deviceId) ?? nothing;
    const after = { ...before };
    for (const column of columns) after[column] += more[column] ?? 0;
    totals.set(deviceId, after);
  }
}

/** Null: the signal was aborted before the end of the day's pages. */
async function countDay(pool: pg.Pool, day: Date, signal: AbortSignal): Promise<Map<string, Counts> | null> {
  const totals = new Map<string, Counts>();
  for (const nextPage of pagesOfDay(day, new Date(day.getTime() + dayMs)))
    for (let hasMore = true; hasMore; ) {
      if (signal.aborted) return null;
      const startedAt = performance.now();
      const page = await nextPage(pool);
      add(totals, page);
      hasMore = page.hasMore;
      const pauseMs = pauseFactor * (performance.now() - startedAt);
      if (hasMore) await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  return totals;
}

const listed = columns.join(', ');

/** One statement, so that the day is never half written. A device that is gone by now gets no row. */
const writeDay = `
  WITH counted AS MATERIALIZED (
    SELECT * FROM json_to_recordset($2::json) AS t (device_id text, ${columns.map((name) => `${name} int`).join(', ')})),
  gone AS (DELETE FROM device_days y WHERE y.day = $1::date AND NOT EXISTS (SELECT 1 FROM counted c WHERE c.device_id = y.device_id))
  INSERT INTO device_days AS y (device_id, day, ${listed})
  SELECT d.id, $1::date, ${columns.map((name) => `c.${name}`).join(', ')}
  FROM counted c JOIN devices d ON d.id = c.device_id AND d.deleted_at IS NULL ORDER BY d.id
  ON CONFLICT (device_id, day) DO UPDATE SET counted_at = now(), ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`;

const dayOf = (at: Date) => new Date(Math.floor(at.getTime() / dayMs) * dayMs);
const dateOf = (day: Date) => day.toISOString().slice(0, 10);

export type DayPass = { readonly now?: Date; readonly freshForMs?: number };

async function count(pool: pg.Pool, signal: AbortSignal, pass: DayPass): Promise<void> {
  const { now = new Date(), freshForMs = usuallyFreshForMs } = pass;
  const today = dayOf(now);
  const { rowCount: fresh } = await pool.query({
    name: 'find-fresh-device-day',
    text: `SELECT 1 FROM device_days WHERE day = $1::date AND counted_at > now() - $2 * interval '1 millisecond' LIMIT 1`,
    values: [dateOf(today), freshForMs],
  });
  if (fresh === 1) return;
  for (const day of [new Date(today.getTime() - dayMs), today]) {
    const totals = await countDay(pool, day, signal);
    if (totals === null) return;
    const rows = [...totals].map(([deviceId, counts]) => ({ device_id: deviceId, ...counts }));
    await pool.query({ name: 'write-device-days', text: writeDay, values: [dateOf(day), JSON.stringify(rows)] });
  }
  await pool.query({
    name: 'forget-device-days',
    text: `DELETE FROM device_days WHERE day <= $1::date - ${healthDays.kept}`,
    values: [dateOf(today)],
  });
}

/** Several workers may call it at once: one of them counts, and the others return. */
export async function countDeviceDays(database: Database, signal: AbortSignal, pass: DayPass = {}): Promise<void> {
  await whileAlone(database, advisoryLocks.deviceDays, (lost) =>
    count(database.pool, AbortSignal.any([signal, lost]), pass),
  );
}
