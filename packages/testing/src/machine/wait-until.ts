import { setTimeout as sleep } from 'node:timers/promises';

export type WaitOptions = {
  /** The state to wait for. The error names it. */
  readonly what: string;
  /** A deadline and not a duration, because other tests may keep the machine busy. */
  readonly timeoutMs?: number;
  readonly everyMs?: number;
};

/**
 * Calls `ask` until it returns a truthy value, and resolves with it. An error counts as "not yet", so `ask` may contain
 * an expectation. When the deadline passes, the last error is the cause.
 */
export async function waitUntil<Answer>(
  ask: () => Answer | Promise<Answer>,
  { what, timeoutMs = 60_000, everyMs = 20 }: WaitOptions,
): Promise<Exclude<Answer, false | null | undefined | 0 | ''>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    let cause: unknown;
    try {
      const answer = await ask();
      // The check removes the falsy values from the type.
      if (answer) return answer as Exclude<Answer, false | null | undefined | 0 | ''>;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > deadline) {
      const detail = cause instanceof Error ? ` (${cause.message})` : '';
      throw new Error(`${what}: not within ${timeoutMs} ms${detail}`, { cause });
    }
    await sleep(everyMs);
  }
}
