/**
 * How many new contacts a day a number may have by itself: few at first, half as many again after each clean day. A day
 * is clean when in it the network neither restricted nor warned the account. Only what ends and begins a stretch of clean
 * days is stored; the days are counted when they are read. The functions say it for answers and tests, the SQL for claims.
 */
import type { AccountLimits } from './device-session.js';

export type NetworkWarning = 'none' | 'first' | 'second';

export type NumberHealth = {
  readonly wasRestricted: boolean;
  /** Clean days before the present stretch. */
  readonly cleanDays: number;
  /** Begin of the present stretch; ahead while a restriction or a warning holds. */
  readonly cleanSince: Date;
  readonly warning: NetworkWarning;
  readonly warnedUntil: Date | null;
};

/** By clean days; the last one stays. */
const firstSteps = [20, 30, 45, 67, 101, 151, 226, 250] as const;
const stepsAfterRestriction = [10, 15, 22, 33, 50, 75, 113, 170, 250] as const;
const dayMs = 86_400_000;
const dayInSql = `interval '24 hours'`;

/** Where the network says no end. */
export const unstated = { blockMs: 3_600_000, warningMs: dayMs } as const;

/** In the database. */
export const warningRanks: Record<NetworkWarning, number> = { none: 0, first: 1, second: 2 };
const networkWarnings: readonly NetworkWarning[] = ['none', 'first', 'second'];
export const warningOf = (rank: number): NetworkWarning => networkWarnings[rank] ?? 'none';

export const newNumber = (at: Date): NumberHealth => ({
  wasRestricted: false,
  cleanDays: 0,
  cleanSince: at,
  warning: 'none',
  warnedUntil: null,
});

function cleanDaysAt({ cleanDays, cleanSince }: NumberHealth, at: Date): number {
  return cleanDays + Math.max(0, Math.floor((at.getTime() - cleanSince.getTime()) / dayMs));
}

export function warningAt({ warning, warnedUntil }: NumberHealth, at: Date): NetworkWarning {
  return warnedUntil !== null && warnedUntil > at ? warning : 'none';
}

/** While the network forbids new contacts there are none, whatever this says. */
export function allowanceAt(health: NumberHealth, at: Date): number {
  const steps = health.wasRestricted ? stepsAfterRestriction : firstSteps;
  const full = steps[Math.min(cleanDaysAt(health, at), steps.length - 1)] ?? steps[0];
  const warning = warningAt(health, at);
  if (warning === 'second') return 0;
  return warning === 'first' ? Math.floor(full / 2) : full;
}

/** A part of the day's allowance that no other messages use up. */
export const keptForCodes = (allowance: number): number => Math.ceil(allowance / 5);

const later = (one: Date, other: Date | null) => (other !== null && other > one ? other : one);

/** What a report of the network makes of it. The same report a second time changes nothing. */
export function healthAfter(health: NumberHealth, { newContacts, warning }: AccountLimits, at: Date): NumberHealth {
  const after = (ms: number) => new Date(at.getTime() + ms);
  const toldUntil = warning === undefined ? null : (warning.until ?? after(unstated.warningMs));
  const warnedUntil = toldUntil !== null && toldUntil > at ? toldUntil : null;
  const warned = { warning: warnedUntil === null ? 'none' : (warning?.kind ?? 'none'), warnedUntil } as const;
  if (newContacts !== 'allowed') {
    const cleanSince = later(newContacts.blockedUntil ?? after(unstated.blockMs), warnedUntil);
    return { wasRestricted: true, cleanDays: 0, cleanSince, ...warned };
  }
  if (warnedUntil !== null)
    return { ...health, cleanDays: cleanDaysAt(health, at), cleanSince: warnedUntil, ...warned };
  return { ...health, cleanSince: health.cleanSince > at ? at : health.cleanSince, ...warned };
}

/** Over `device_health h`, which may be missing. */
const cleanDays = `(coalesce(h.clean_days, 0) + greatest(0, floor(extract(epoch FROM now() - h.clean_since) / 86400))::int)`;

const stepOf = (steps: readonly number[], days: string) =>
  `(ARRAY[${steps.join(', ')}])[1 + least(${days}, ${steps.length - 1})]`;
const fullAllowance = (days: string) =>
  `CASE WHEN h.was_restricted THEN ${stepOf(stepsAfterRestriction, days)} ELSE ${stepOf(firstSteps, days)} END`;

/** Over `device_health h`: the rank of the warning that holds now. */
export const warningNow = `CASE WHEN h.warned_until > now() THEN h.warning ELSE 0 END`;

/** Over `device_health h`: `allowanceAt` now. */
export const allowanceNow = `(CASE ${warningNow} WHEN 2 THEN 0 WHEN 1 THEN (${fullAllowance(cleanDays)}) / 2 ELSE ${fullAllowance(cleanDays)} END)`;

/** Over `device_health h`: when the allowance changes next by itself, and to what. Null: without a row nobody counts. */
export const nextAllowance = {
  at: `CASE ${warningNow} WHEN 0 THEN h.clean_since + ${dayInSql} * (1 + greatest(0, floor(extract(epoch FROM now() - h.clean_since) / 86400)))
    ELSE h.warned_until END`,
  value: `CASE ${warningNow} WHEN 0 THEN ${fullAllowance(`${cleanDays} + 1`)} ELSE ${fullAllowance(cleanDays)} END`,
} as const;

export const keptForCodesInSql = (allowance: string): string => `((${allowance} + 4) / 5)`;

/** For the device of `whose`, an id in SQL: the clean days until now are stored, and none follow before a new stretch begins. */
export const endCleanDays = (whose: string) =>
  `UPDATE device_health h SET clean_days = ${cleanDays}, clean_since = greatest(h.clean_since, now()) WHERE h.device_id = ${whose}`;

/**
 * `healthAfter` as a statement over `device_health h`, for the device of `source`, SQL with one row or none of `device_id`,
 * `blocked_until`, `warning` and `warned_until`, where the last three are null for what the network does not say.
 */
export const writeHealthAfter = (source: string) => `
  INSERT INTO device_health AS h (device_id, was_restricted, clean_since, warning, warned_until)
  SELECT device_id, blocked_until IS NOT NULL, coalesce(greatest(blocked_until, warned_until), now()),
    CASE WHEN warned_until IS NULL THEN 0 ELSE warning END, warned_until
  FROM (SELECT device_id, blocked_until, warning, CASE WHEN warned_until > now() THEN warned_until END AS warned_until FROM (${source}) told) report
  ON CONFLICT (device_id) DO UPDATE SET
    was_restricted = h.was_restricted OR excluded.was_restricted,
    clean_days = CASE WHEN excluded.was_restricted THEN 0 WHEN excluded.warning > 0 THEN ${cleanDays} ELSE h.clean_days END,
    clean_since = CASE WHEN excluded.was_restricted OR excluded.warning > 0 THEN excluded.clean_since ELSE least(h.clean_since, now()) END,
    warning = excluded.warning, warned_until = excluded.warned_until`;
