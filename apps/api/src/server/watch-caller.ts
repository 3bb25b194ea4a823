import type { ServerResponse } from 'node:http';

/** Returns a signal that is aborted when the answer was sent or the caller has gone. */
export function watchCaller(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  // Node does not emit `close` again for a caller that has left already.
  if (res.closed) controller.abort();
  else res.once('close', () => controller.abort());
  return controller.signal;
}
