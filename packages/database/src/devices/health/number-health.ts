/**
 * The automatic limit of new contacts for a phone number, as SQL. It starts low and grows with each clean day. A day is
 * clean if the network neither restricted nor warned the account. We store the start of the present stretch of clean
 * days and the number of clean days before it. Reads and claims count the days since then.
 */

export type NetworkWarning = 'none' | 'first' | 'second';

/** By number of clean days. The last step stays. */
export const firstSteps = [20, 30, 45, 67, 101, 151, 226, 250] as const;
export const stepsAfterRestriction = [10, 15, 22, 33, 50, 75, 113, 170, 250] as const;
export const dayMs = 86_400_000;
const dayInSql = `interval '24 hours'`;

/** The length of a block or a warning if the network names no end. */
export const unstated = { blockMs: 3_600_000, warningMs: dayMs } as const;

/** The values in the database. */
export const warningRanks: Record<NetworkWarning, number> = { none: 0, first: 1, second: 2 };
const networkWarnings: readonly NetworkWarning[] = ['none', 'first', 'second'];
export const warningOf = (rank: number): NetworkWarning => networkWarnings[rank] ?? 'none';

/** The part of a day's allowance that only codes may use. */
export const keptForCodes = (allowance: number): number => Math.ceil(allowance / 5);

/** Over `device_health h`, which may be missing. */
const cleanDays = `(coalesce(h.clean_days, 0) + greatest(0, floor(extract(epoch FROM now() - h.clean_since) / 86400))::int)`;

const stepOf = (steps: readonly number[], days: string) =>
  `(ARRAY[${steps.join(', ')}])[1 + least(${days}, ${steps.length - 1})]`;
const fullAllowance = (days: string) =>
  `CASE WHEN h.was_restricted THEN ${stepOf(stepsAfterRestriction, days)} ELSE ${stepOf(firstSteps, days)} END`;

/** Over `device_health h`: the rank of the warning that holds now. */
export const warningNow = `CASE WHEN h.warned_until > now() THEN h.warning ELSE 0 END`;

/**
 * Over `device_health h`: the allowance of today. While the network forbids new contacts, there are none whatever this
 * says.
 */
export const allowanceNow = `(CASE ${warningNow} WHEN 2 THEN 0 WHEN 1 THEN (${fullAllowance(cleanDays)}) / 2 ELSE ${fullAllowance(cleanDays)} END)`;

/**
 * Over `device_health h`: the next change of the allowance and its new value. Null without a row: then no days are
 * counted.
 */
export const nextAllowance = {
  at: `CASE ${warningNow} WHEN 0 THEN h.clean_since + ${dayInSql} * (1 + greatest(0, floor(extract(epoch FROM now() - h.clean_since) / 86400)))
    ELSE h.warned_until END`,
  value: `CASE ${warningNow} WHEN 0 THEN ${fullAllowance(`${cleanDays} + 1`)} ELSE ${fullAllowance(cleanDays)} END`,
} as const;

export const keptForCodesInSql = (allowance: string): string => `((${allowance} + 4) / 5)`;

/**
 * For the device `whose` (an id in SQL): stores the clean days until now. None are counted until a new stretch begins.
 */
export const endCleanDays = (whose: string) =>
  `UPDATE device_health h SET clean_days = ${cleanDays}, clean_since = greatest(h.clean_since, now()) WHERE h.device_id = ${whose}`;

/**
 * A statement that applies a report of the network to the health. The same report twice changes nothing. `source` is
 * SQL with one row or none: `device_id`, `blocked_until`, `warning` and `warned_until`. The last three are null if the
 * network does not report them.
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
