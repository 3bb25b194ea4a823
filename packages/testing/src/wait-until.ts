import { setTimeout as sleep } from 'node:timers/promises';

export type WaitOptions = {
  /** Says in the error what did not happen. */
  readonly what: string;
  /** A deadline, not a duration: the machine may be busy with other tests. */
  readonly timeoutMs?: number;
  readonly everyMs?: number;
};

/**
 * Asks until the answer is truthy and resolves with it. An error counts as "not yet", so that an expectation may
 * stand inside; the last one is the cause when the deadline passes.
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
      // The check is what takes the falsy ones out of the type.
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
