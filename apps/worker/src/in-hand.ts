/** Messages that stand as `sending` and have yet to go to the driver, the next one first. */
export type InHand<M> = {
  /** The next one, which stays. */
  next(): M | undefined;
  take(): M | undefined;
  /** All that is left goes back, together. Resolves when it has, and what went back before. */
  putBack(): Promise<void>;
  /** Ends as `work` does, and not before what was put back has gone; rejects as that does. */
  untilGone<R>(work: Promise<R>): Promise<R>;
  /** Something was put back. */
  wasCut(): boolean;
};

export function createInHand<M>(messages: readonly M[], back: (messages: readonly M[]) => Promise<void>): InHand<M> {
  const left = [...messages];
  let gone: Promise<void> | null = null;
  return {
    next: () => left[0],
    take: () => left.shift(),
    async putBack() {
      if (left.length > 0) gone = back(left.splice(0));
      // It may fail before anybody waits for it: `untilGone` tells.
      gone?.catch(() => undefined);
      await gone;
    },
    async untilGone(work) {
      try {
        return await work;
      } finally {
        await gone;
      }
    },
    wasCut: () => gone !== null,
  };
}
