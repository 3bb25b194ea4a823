/**
 * The health of one webhook: how many events it may have in flight, and whether it is only probed. The times are those of
 * `performance.now()`.
 */
import { failuresBeforeProbing, firstProbeMs, waitBeforeProbe } from './schedule.js';

const maxInFlight = 32;
/** For a webhook that has not taken an event since it last failed, or since its reader began. */
const maxInFlightUnproven = 4;

export type WebhookHealth = {
  readonly isProbed: boolean;
  /** The number of events that may be in flight now. */
  window(): number;
  succeeded(): void;
  /** Returns the first probe if probing begins with this failure. */
  failed(): NextProbe | null;
  probeFailed(): NextProbe;
};

/** The probe of this number, from 1, is due after `waitMs`. */
export type NextProbe = { readonly probes: number; readonly waitMs: number };

export function createWebhookHealth({
  probes: firstProbes,
  probeInMs,
  firstWaitMs = firstProbeMs,
}: {
  readonly probes: number;
  readonly probeInMs: number;
  /** The wait before the first probe. */
  readonly firstWaitMs?: number | undefined;
}): WebhookHealth {
  let probes = firstProbes;
  let probeAt = performance.now() + probeInMs;
  let failuresInRow = 0;
  let isProven = false;

  function probeLater(): NextProbe {
    probes++;
    const waitMs = waitBeforeProbe(probes, firstWaitMs, Math.random());
    probeAt = performance.now() + waitMs;
    return { probes, waitMs };
  }

  return {
    get isProbed() {
      return probes > 0;
    },
    window() {
      if (probes > 0) return performance.now() >= probeAt ? 1 : 0;
      return isProven ? maxInFlight : maxInFlightUnproven;
    },
    succeeded() {
      [probes, failuresInRow, isProven] = [0, 0, true];
    },
    failed() {
      failuresInRow++;
      isProven = false;
      return probes === 0 && failuresInRow >= failuresBeforeProbing ? probeLater() : null;
    },
    probeFailed: probeLater,
  };
}
