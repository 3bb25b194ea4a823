import { setTimeout as sleep } from 'node:timers/promises';

const pauseMs = 500;

/** Tries until `store` resolves or `hasEnded` returns true. Never rejects. */
export async function untilStored(
  store: () => Promise<void>,
  hasEnded: () => boolean,
  onError: (err: unknown) => void,
): Promise<void> {
  while (!hasEnded()) {
    try {
      return await store();
    } catch (err) {
      onError(err);
    }
    await sleep(pauseMs);
  }
}
