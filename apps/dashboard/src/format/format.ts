/** Formats numbers, money and times for people of either language. */
import type { Language } from '../i18n/language.js';

const locales: Record<Language, string> = { en: 'en-GB', id: 'id-ID' };

export const formatCount = (value: number, language: Language): string =>
  new Intl.NumberFormat(locales[language]).format(value);

/** `12.3K`, for places where the exact number does not matter. */
export const formatShortCount = (value: number, language: Language): string =>
  new Intl.NumberFormat(locales[language], { notation: 'compact', maximumFractionDigits: 1 }).format(value);

/** A share as a percentage. It is never rounded up, so that only a whole shows as a whole. */
export const formatShare = (part: number, whole: number, language: Language): string =>
  new Intl.NumberFormat(locales[language], { style: 'percent', maximumFractionDigits: 1 }).format(
    whole === 0 ? 0 : Math.floor((part / whole) * 1_000) / 1_000,
  );

/** Decimal megabytes or gigabytes, such as `48 MB` or `1.2 GB`. */
export function formatBytes(bytes: number, language: Language): string {
  const isSmall = bytes < 1e9;
  return new Intl.NumberFormat(locales[language], {
    style: 'unit',
    unit: isSmall ? 'megabyte' : 'gigabyte',
    maximumFractionDigits: isSmall ? 0 : 1,
  }).format(bytes / (isSmall ? 1e6 : 1e9));
}

const rupiahBefore: Record<Language, string> = { en: 'Rp\u00a0', id: 'Rp' };

/** `Rp 150,000` in English, and `Rp150.000` as Indonesian spelling wants it. */
export function formatRupiah(value: number, language: Language): string {
  const amount = `${rupiahBefore[language]}${formatCount(Math.abs(value), language)}`;
  return value < 0 ? `-${amount}` : amount;
}

const moment: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' };

export const formatMoment = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], moment).format(new Date(iso));

/** `26 Nov`. */
export const formatShortDay = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], { day: 'numeric', month: 'short' }).format(new Date(iso));
export const formatMomentWithSeconds = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], { ...moment, second: '2-digit' }).format(new Date(iso));

export const formatExactMoment = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: 'full', timeStyle: 'long' }).format(new Date(iso));

export const formatDay = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], { day: 'numeric', month: 'long', year: 'numeric' }).format(new Date(iso));

export const formatClock = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], { hour: '2-digit', minute: '2-digit' }).format(new Date(iso));

/** A local time with milliseconds, for the steps of a timeline. */
export function formatPreciseClock(iso: string): string {
  const at = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  const ms = String(at.getMilliseconds()).padStart(3, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${ms}`;
}

/** A duration in at most two units, such as `2.4 s`, `3 min 5 s` or `4 d 3 h`. */
export function formatSpan(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1).replace(/\.0$/, '')} s`;
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 3_600) return twoUnits(seconds, 60, 'min', 's');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1_440) return twoUnits(minutes, 60, 'h', 'min');
  return twoUnits(Math.floor(minutes / 60), 24, 'd', 'h');
}

function twoUnits(total: number, size: number, large: string, small: string): string {
  const rest = total % size;
  return `${Math.floor(total / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

/** The short form of a day is `h` in Indonesian, which reads as an hour. */
const relativeIn = (language: Language, unit: Intl.RelativeTimeFormatUnit): Intl.RelativeTimeFormat =>
  new Intl.RelativeTimeFormat(locales[language], { numeric: 'auto', style: unit === 'day' ? 'long' : 'short' });

/** `3 min ago` or `in 2 days`; `now` for a moment that is only seconds away. */
export function formatRelative(iso: string, nowMs: number, language: Language): string {
  const differenceMs = Date.parse(iso) - nowMs;
  if (Math.abs(differenceMs) < 10_000) return relativeIn(language, 'second').format(0, 'second');
  const [unit, size] = steps.find(([, ms]) => Math.abs(differenceMs) >= ms) ?? ['second', 1_000];
  // A unit counts when it is full. A link that works for seven days ends in 7 days, also a minute later.
  const slack = differenceMs > 0 ? 0.02 : 0;
  return relativeIn(language, unit).format(Math.trunc(differenceMs / size + slack), unit);
}

/** Leaves out the middle of a long id, because the prefix and the end tell ids apart. */
export const shortenId = (id: string): string => (id.length <= 18 ? id : `${id.slice(0, 8)}…${id.slice(-6)}`);
