/** Counts what stays open for each owner, so that one owner cannot take it all. */
import { ApiError } from '@kurir/contracts';

export type OpenShares = {
  /** Counts one more. Throws if the owner has too many. Call the returned function when it is closed. */
  enter(owner: string): () => void;
};

/** `sentence` tells the owner what to do. */
export function createOpenShares(max: number, sentence: string): OpenShares {
  const open = new Map<string, number>();

  function leave(owner: string): void {
    const left = (open.get(owner) ?? 1) - 1;
    if (left > 0) open.set(owner, left);
    else open.delete(owner);
  }

  return {
    enter(owner) {
      const count = open.get(owner) ?? 0;
      if (count >= max) throw new ApiError('RATE_LIMITED', sentence, { retryAfterSeconds: 10 });
      open.set(owner, count + 1);
      return () => leave(owner);
    },
  };
}
