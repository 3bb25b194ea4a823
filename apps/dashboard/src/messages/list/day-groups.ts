/** Puts messages under the days on which they were accepted, as the person counts days. */
import { formatDay } from '../../format/format.js';
import type { Language } from '../../i18n/language.js';
import type { Message } from '../status.js';

export type DayGroup = { readonly day: string; readonly rows: readonly Message[] };

/** Local midnight. */
function dayOf(at: Date, daysLater = 0): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + daysLater).getTime();
}

/** Newest day first. Each group keeps the order of its rows. */
export function dayGroups(rows: readonly Message[]): DayGroup[] {
  const days = new Map<number, Message[]>();
  for (const row of rows) {
    const day = dayOf(new Date(row.created_at));
    const group = days.get(day);
    if (group === undefined) days.set(day, [row]);
    else group.push(row);
  }
  return [...days]
    .toSorted(([a], [b]) => b - a)
    .map(([day, group]) => ({ day: new Date(day).toISOString(), rows: group }));
}

type DayWords = { readonly today: string; readonly yesterday: string };

export function dayName(day: string, nowMs: number, language: Language, words: DayWords): string {
  const [at, now] = [Date.parse(day), new Date(nowMs)];
  if (at === dayOf(now)) return words.today;
  return at === dayOf(now, -1) ? words.yesterday : formatDay(day, language);
}
