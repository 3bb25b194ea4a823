/** Which failure may be tried again without doing anything twice, and after how long. */
import type { KurirConnectionError } from './errors.js';
import type { Repeat } from '../contract/routes.js';
import type { Outcome } from './try-once.js';

const firstBackoffMs = 250;
const maxBackoffMs = 8_000;
/** A longer Retry-After is left to the caller, who finds it in the error. */
const maxRetryAfterMs = 60_000;

type Failure = Exclude<Outcome, { kind: 'answered' }>;

/** A refusal or an answer of something else (a proxy) that another try would only repeat. */
function isLasting(status: number): boolean {
  return status >= 300 && status !== 429 && (status < 500 || status === 501);
}

function mayTryUnanswered(error: KurirConnectionError, repeat: Repeat): boolean {
  if (error.status !== null && isLasting(error.status)) return false;
  return repeat !== 'refuse' || !error.mayHaveArrived;
}

/**
 * 429 and 503 are the gateway's own request to come again, and what a second time finds done it does not do twice.
 * Any other 5xx asks for nothing, so only what can be repeated goes on.
 */
function mayTryRefused(status: number, repeat: Repeat): boolean {
  if (status === 429 || status === 503) return true;
  return repeat !== 'refuse' && !isLasting(status);
}

/** Milliseconds until the next try, or null when there should be none. `retry` counts from 0. */
export function retryDelayMs(failure: Failure, repeat: Repeat, retry: number, random: () => number): number | null {
  const { error, kind } = failure;
  if (kind === 'refused' ? !mayTryRefused(error.status, repeat) : !mayTryUnanswered(error, repeat)) return null;
  if (error.retryAfterSeconds === null)
    return Math.min(firstBackoffMs * 2 ** retry, maxBackoffMs) * (0.5 + random() / 2);
  const askedMs = error.retryAfterSeconds * 1000;
  // Never sooner than asked; spread a little, so that those who were refused together do not come back together.
  return askedMs > maxRetryAfterMs ? null : askedMs + random() * firstBackoffMs;
}
