// Waits for a state of the outside world, with a deadline.
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves with the first truthy result of `check`. Rejects after `timeoutMs`, or at once if `check` throws. */
export async function until(check, { what, timeoutMs = 20_000, everyMs = 25, signal }) {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await check();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs / 1000} s`);
    await sleep(everyMs, undefined, { signal });
  }
}
