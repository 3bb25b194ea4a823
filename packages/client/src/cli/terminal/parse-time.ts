/** Reads durations and moments as people type them. */
import { InvalidArgumentError } from 'commander';

const secondsPer: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Returns seconds. Accepts `90`, `90s`, `5m`, `2h` and `1d`. */
export function parseDuration(text: string): number {
  const [, digits, unit = 's'] = /^(\d{1,9})([smhd])?$/.exec(text) ?? [];
  if (digits === undefined) throw new InvalidArgumentError('Give a duration like 90s, 5m or 2h.');
  return Number(digits) * (secondsPer[unit] ?? 1);
}

/** Accepts a duration from now, or a date with a time. Without an offset it is in the time zone of this machine. */
export function parseMoment(text: string, nowMs: number = Date.now()): Date {
  if (/^\d+[smhd]$/.test(text)) return new Date(nowMs + parseDuration(text) * 1000);
  const moment = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (Number.isNaN(moment.getTime()))
    throw new InvalidArgumentError('Give a time like 2026-11-21T18:00+07:00, or 10m.');
  return moment;
}

/** Accepts a duration before now, or a date with a time. */
export function parsePast(text: string): Date {
  const isDuration = /^\d+[smhd]$/.test(text);
  return isDuration ? new Date(Date.now() - parseDuration(text) * 1000) : parseMoment(text);
}

/** People copy numbers with a plus, spaces and dashes. One that begins with 0 gets its country code from the account. */
export function parseNumber(text: string): string {
  return text.replace(/\(0\)|[\s+().-]/g, '');
}
