import type { ServerResponse } from 'node:http';

/** A signal that is aborted when the answer is out or the caller has gone away. */
export function watchCaller(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  // `close` does not come again for a caller who has left already.
  if (res.closed) controller.abort();
  else res.once('close', () => controller.abort());
  return controller.signal;
}
