/** Says which failures the client may try again without doing anything twice, and after which delay. */
import type { KurirConnectionError } from './errors.js';
import type { Repeat } from '../contract/routes.js';
import type { Outcome } from './try-once.js';

const firstBackoffMs = 250;
const maxBackoffMs = 8_000;
/** If Retry-After is longer, the client gives up. The caller finds it in the error. */
const maxRetryAfterMs = 60_000;

type Failure = Exclude<Outcome<unknown>, { kind: 'answered' }>;

/** Whether another try would only repeat this status. It may come from the gateway or from a proxy. */
function isLasting(status: number): boolean {
  return status >= 300 && status !== 429 && (status < 500 || status === 501);
}

function mayTryUnanswered(error: KurirConnectionError, repeat: Repeat): boolean {
  if (error.status !== null && isLasting(error.status)) return false;
  return repeat !== 'refuse' || !error.mayHaveArrived;
}

/**
 * With 429 and 503 the gateway asks for another try, and it does not repeat work that is done. After any other 5xx only
 * a repeatable call is tried again.
 */
function mayTryRefused(status: number, repeat: Repeat): boolean {
  if (status === 429 || status === 503) return true;
  return repeat !== 'refuse' && !isLasting(status);
}

/** Milliseconds until the next try. Null if there should be none. `retry` counts from 0. */
export function retryDelayMs(failure: Failure, repeat: Repeat, retry: number, random: () => number): number | null {
  const { error, kind } = failure;
  if (kind === 'refused' ? !mayTryRefused(error.status, repeat) : !mayTryUnanswered(error, repeat)) return null;
  if (error.retryAfterSeconds === null)
    return Math.min(firstBackoffMs * 2 ** retry, maxBackoffMs) * (0.5 + random() / 2);
  const askedMs = error.retryAfterSeconds * 1000;
  // Never sooner than asked. The spread keeps clients from coming back all at the same time.
  return askedMs > maxRetryAfterMs ? null : askedMs + random() * firstBackoffMs;
}
