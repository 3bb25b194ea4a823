import { CommanderError } from 'commander';
import { KurirConnectionError, KurirError, KurirUsageError, KurirWaitError } from '../../calls/errors.js';

export const exitCodes = {
  ok: 0,
  refused: 1,
  wrongUsage: 2,
  notReachable: 3,
  /** The time ran out before the job reached the wanted status. */
  notReached: 4,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Null for an unexpected error. */
export function exitCodeOf(error: unknown): ExitCode | null {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.wrongUsage;
  if (error instanceof KurirUsageError) return exitCodes.wrongUsage;
  if (error instanceof KurirError) return exitCodes.refused;
  if (error instanceof KurirConnectionError) return exitCodes.notReachable;
  if (error instanceof KurirWaitError) return error.lastJob === null ? exitCodes.notReachable : exitCodes.notReached;
  return null;
}
