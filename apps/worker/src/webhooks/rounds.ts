/** Returns a function that starts `round` now. A call during a round makes one more round after it. */
export function createRounds(round: () => Promise<void>, onError: (err: unknown) => void): () => void {
  let isRunning = false;
  let again = false;

  async function runAll(): Promise<void> {
    while (again) {
      again = false;
      try {
        await round();
      } catch (err) {
        // The next call tries again.
        onError(err);
        return;
      }
    }
  }

  return () => {
    again = true;
    if (isRunning) return;
    isRunning = true;
    void runAll().finally(() => {
      isRunning = false;
    });
  };
}
