/** Formats times for people. */

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `3 minutes ago`, `in 2 hours`, `now`. */
export function fromNow(iso: string, nowMs: number): string {
  const distanceMs = Date.parse(iso) - nowMs;
  const [unit, unitMs] = units.find(([, ms]) => Math.abs(distanceMs) >= ms) ?? ['second', 1000];
  return relative.format(Math.trunc(distanceMs / unitMs), unit);
}

/** Formats the time from one moment to a later one: `29 ms`, `1.2 s`, `3 min`. */
export function spanFrom(fromIso: string, toIso: string): string {
  const ms = Date.parse(toIso) - Date.parse(fromIso);
  if (ms < 1000) return `${ms} ms`;
  if (ms < 100_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 6_000_000 ? `${Math.round(ms / 60_000)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}

/** Formats the time since the step before: `+29 ms`. */
export const stepFrom = (fromIso: string, toIso: string): string => `+${spanFrom(fromIso, toIso)}`;

/** Formats a moment in the time zone of this machine: `2026-11-21 16:00:00`. */
export function localTime(iso: string): string {
  // The Swedish format is the ISO format.
  return new Date(iso).toLocaleString('sv-SE');
}
