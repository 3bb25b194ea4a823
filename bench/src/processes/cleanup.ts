/** Work that must be undone in any case. `run` undoes it in reverse order, each once, and continues after a failure. */
export type Cleanup = {
  add(undo: () => Promise<unknown>): void;
  run(): Promise<void>;
};

export function createCleanup(): Cleanup {
  const undos: (() => Promise<unknown>)[] = [];
  return {
    add: (undo) => void undos.push(undo),
    async run() {
      for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
        await undo().catch((error: unknown) => console.error(error));
      }
    },
  };
}
