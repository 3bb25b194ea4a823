const POLL_MS = 5;
/** Long, because the machine may be busy with other tests. */
const DEFAULT_DEADLINE_MS = 60_000;

/** Resolves as soon as the condition holds. Rejects with `what` when it does not hold within the deadline. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  deadlineMs: number = DEFAULT_DEADLINE_MS,
): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`after ${deadlineMs} ms it is still not so that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
