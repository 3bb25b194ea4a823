import { limits } from '@kurir/contracts';
import type { Visitor } from './visitor.js';

/** Until when the last second factor counts, or null. */
export function confirmedUntil({ session }: Visitor, nowMs: number): Date | null {
  if (session.confirmedAt === null) return null;
  const until = session.confirmedAt.getTime() + limits.confirmationMinutes * 60_000;
  return until > nowMs ? new Date(until) : null;
}
