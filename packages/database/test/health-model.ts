/** The formulas of `number-health.ts` in TypeScript. Tests compare them with the SQL. */

import {
  dayMs,
  firstSteps,
  type NetworkWarning,
  stepsAfterRestriction,
  unstated,
} from '../src/devices/health/number-health.js';
import type { AccountLimits } from '../src/sessions/device-session.js';

export type NumberHealth = {
  readonly wasRestricted: boolean;
  /** Clean days before the present stretch. */
  readonly cleanDays: number;
  /** The start of the present stretch. It is ahead while a restriction or a warning holds. */
  readonly cleanSince: Date;
  readonly warning: NetworkWarning;
  readonly warnedUntil: Date | null;
};

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

const later = (one: Date, other: Date | null) => (other !== null && other > one ? other : one);

/** Applies a report of the network to the health. The same report twice changes nothing. */
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
