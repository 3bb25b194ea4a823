/** Formats numbers, money, phone numbers and times for people of either language. */
import type { Language } from '../i18n/language.js';

const locales: Record<Language, string> = { en: 'en-GB', id: 'id-ID' };

export const formatCount = (value: number, language: Language): string =>
  new Intl.NumberFormat(locales[language]).format(value);

/** `12.3K`, for places where the exact number does not matter. */
export const formatShortCount = (value: number, language: Language): string =>
  new Intl.NumberFormat(locales[language], { notation: 'compact', maximumFractionDigits: 1 }).format(value);

export const formatRupiah = (value: number, language: Language): string =>
  new Intl.NumberFormat(locales[language], { style: 'currency', currency: 'IDR', maximumFractionDigits: 0 })
    .format(value)
    .replace('IDR', 'Rp');

const moment: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' };

export const formatMoment = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], moment).format(new Date(iso));

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

/** `3 min ago` or `in 2 days`; `now` for a moment that is only seconds away. */
export function formatRelative(iso: string, nowMs: number, language: Language): string {
  const differenceMs = Date.parse(iso) - nowMs;
  const relative = new Intl.RelativeTimeFormat(locales[language], { numeric: 'auto', style: 'short' });
  if (Math.abs(differenceMs) < 10_000) return relative.format(0, 'second');
  const [unit, size] = steps.find(([, ms]) => Math.abs(differenceMs) >= ms) ?? ['second', 1_000];
  return relative.format(Math.trunc(differenceMs / size), unit);
}

const countryCodes = ['62', '60', '65', '63', '66', '84', '81', '82', '86', '91', '61', '44', '49', '33', '31', '1'];

/** `6281234567890` as `+62 812 3456 7890`. Splits off the country code if it is a common one. An erased number is a dash. */
export function formatPhone(digits: string): string {
  if (!/^\d+$/.test(digits)) return '—';
  const code = countryCodes.find((prefix) => digits.startsWith(prefix)) ?? '';
  const rest = digits.slice(code.length);
  const groups = [rest.slice(0, 3), ...(rest.slice(3).match(/.{1,4}/g) ?? [])].filter((group) => group !== '');
  return `+${[code, ...groups].filter((group) => group !== '').join(' ')}`;
}

/** Turns a typed or pasted number into the digits that the api takes. A leading 0 means Indonesia. */
export function phoneDigits(text: string): string {
  const digits = text.replace(/[^\d]/g, '');
  return digits.startsWith('0') ? `62${digits.slice(1)}` : digits;
}

/** Leaves out the middle of a long id, because the prefix and the end tell ids apart. */
export const shortenId = (id: string): string => (id.length <= 18 ? id : `${id.slice(0, 8)}…${id.slice(-6)}`);
