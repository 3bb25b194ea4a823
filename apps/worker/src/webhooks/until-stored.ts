import { setTimeout as sleep } from 'node:timers/promises';

const pauseMs = 500;

/**
 * Tries until `store` resolves, and resolves with its result. Resolves with undefined if `hasEnded` returns true before.
 * Never rejects. A step that failed may have been stored, so it must be harmless to repeat.
 */
export async function untilStored<Result>(
  store: () => Promise<Result>,
  hasEnded: () => boolean,
  onError: (err: unknown) => void,
): Promise<Result | undefined> {
  while (!hasEnded()) {
    try {
      return await store();
    } catch (err) {
      onError(err);
    }
    await sleep(pauseMs);
  }
  return undefined;
}
