/** The number of events of each subject that have a row for another try. */
export type WaitingSubjects = {
  readonly total: number;
  has(subjectId: string): boolean;
  add(subjectId: string): void;
  remove(subjectId: string): void;
};

export function createWaitingSubjects(stored: ReadonlyMap<string, number>): WaitingSubjects {
  const counts = new Map(stored);
  let total = [...stored.values()].reduce((sum, count) => sum + count, 0);
  return {
    get total() {
      return total;
    },
    has: (subjectId) => counts.has(subjectId),
    add(subjectId) {
      counts.set(subjectId, (counts.get(subjectId) ?? 0) + 1);
      total++;
    },
    remove(subjectId) {
      const count = counts.get(subjectId);
      if (count === undefined) return;
      total--;
      if (count === 1) counts.delete(subjectId);
      else counts.set(subjectId, count - 1);
    },
  };
}
