import { limits } from '@kurir/contracts';

/** After this time the person must sign in again, even after an active session. */
export const sessionMaxSeconds = 12 * 3_600;

export const isTooOld = (createdAt: Date, nowMs: number): boolean =>
  createdAt.getTime() < nowMs - sessionMaxSeconds * 1_000;

/** Returns the time until which a confirmation counts, or null. */
export function confirmedUntil(confirmedAt: Date | null | undefined, nowMs: number): Date | null {
  if (confirmedAt === null || confirmedAt === undefined) return null;
  const until = confirmedAt.getTime() + limits.confirmationMinutes * 60_000;
  return until > nowMs ? new Date(until) : null;
}
