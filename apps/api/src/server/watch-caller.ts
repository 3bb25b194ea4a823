import type { ServerResponse } from 'node:http';

/** With the time that keys stay in memory, this is how long a request may outlive its key. */
const lookEveryMs = 500;

/**
 * Returns a signal that is aborted when the answer was sent or the caller has gone. With `refusal`, it is also aborted
 * when the caller may no longer ask; its reason is then the refusal.
 */
export function watchCaller(res: ServerResponse, refusal: () => Promise<Error | null> = async () => null): AbortSignal {
  const controller = new AbortController();
  // Node does not emit `close` again for a caller that has left already.
  if (res.closed) {
    controller.abort();
    return controller.signal;
  }
  const look = () =>
    refusal()
      .then((reason) => reason !== null && controller.abort(reason))
      // Without Postgres nobody knows of a revocation.
      .catch(() => false);
  const looking = setInterval(() => void look(), lookEveryMs);
  res.once('close', () => {
    clearInterval(looking);
    controller.abort();
  });
  return controller.signal;
}
