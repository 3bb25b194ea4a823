/**
 * Where a worker stands still: before a statement, before its answer is heard, and while the network has not answered.
 * It goes on only when it is told to, however much later that is, or never.
 */
export class StoppingPoint {
  #goOn: (() => void) | null = null;
  #arrived: (() => void) | null = null;

  get isStanding(): boolean {
    return this.#goOn !== null;
  }

  /** The worker's side. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#goOn = resolve;
      this.#arrived?.();
    });
  }

  /** Lets it go on; the next thing that happens is up to the worker. */
  release(): void {
    const goOn = this.#goOn;
    this.#goOn = null;
    goOn?.();
  }

  /** Resolves when the worker stands here. */
  standing(): Promise<void> {
    if (this.isStanding) return Promise.resolve();
    return new Promise((resolve) => {
      this.#arrived = resolve;
    });
  }
}
