import type { ServerResponse } from 'node:http';

/** A signal that is aborted when the answer is out or the caller has gone away. */
export function watchCaller(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => controller.abort());
  return controller.signal;
}
