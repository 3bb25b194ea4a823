// Waiting for a state of the outside world, with a deadline.
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves with the first truthy answer of `check`. Rejects after `timeoutMs`; an error of `check` ends it at once. */
export async function until(check, { what, timeoutMs = 20_000, everyMs = 25, signal }) {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await check();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs / 1000} s`);
    await sleep(everyMs, undefined, { signal });
  }
}
