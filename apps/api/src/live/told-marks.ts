/** Which changes were told lately, so that looking back tells none of them twice. */
export type ToldMarks = {
  /** True the first time. */
  isNew(mark: string): boolean;
};

export function createToldMarks(keptMs: number, now: () => number = () => performance.now()): ToldMarks {
  // In the order of telling: the oldest stand first.
  const told = new Map<string, number>();
  return {
    isNew(mark) {
      if (told.has(mark)) return false;
      told.set(mark, now());
      for (const [old, at] of told) {
        if (at > now() - keptMs) break;
        told.delete(old);
      }
      return true;
    },
  };
}
