/** One POST to a developer's program. It follows no redirect, and reads no body of the answer. */
import type { Clock } from '../../calls/clock.js';
import { isConnectFailure, reasonOf } from '../../calls/network-failure.js';

/** The time that a webhook's receiver has. */
const receiverTimeoutMs = 15_000;

export type Post = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How long the program may take. Default: as long as the receiver of a webhook. */
  readonly timeoutMs?: number;
};

export type PostOutcome = {
  /** `taken`: a 2xx came in time. `unreachable`: nobody listens at the address. `refused`: anything else. */
  readonly kind: 'taken' | 'refused' | 'unreachable';
  /** The status of the answer. Null: no answer came. */
  readonly status: number | null;
  /** Why no answer came. Null if one came. */
  readonly reason: string | null;
  readonly milliseconds: number;
};

/** Returns how the program answered. Throws only the reason of `signal`. */
export async function postEvent(post: Post, clock: Clock, signal: AbortSignal): Promise<PostOutcome> {
  const { url, headers, body, timeoutMs = receiverTimeoutMs } = post;
  const startedAt = clock.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  const ended = (outcome: Omit<PostOutcome, 'milliseconds'>) => ({
    ...outcome,
    milliseconds: clock.now() - startedAt,
  });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    await response.body?.cancel();
    return ended({ kind: response.ok ? 'taken' : 'refused', status: response.status, reason: null });
  } catch (error) {
    signal.throwIfAborted();
    const reason = timeout.aborted ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error);
    return ended({ kind: isConnectFailure(error) ? 'unreachable' : 'refused', status: null, reason });
  }
}
