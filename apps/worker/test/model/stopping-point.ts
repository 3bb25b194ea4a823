/**
 * Where a worker stands still: before a statement, before its answer is heard, and while the network has not answered;
 * in two places when it does two things at once. It goes on only when it is told to, however much later that is, or never.
 */
export class StoppingPoint {
  readonly #standing: (() => void)[] = [];

  get isStanding(): boolean {
    return this.#standing.length > 0;
  }

  /** The worker's side. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#standing.push(resolve);
    });
  }

  /** Lets it go on in one place; the next thing that happens is up to the worker. */
  release(which: 'oldest' | 'newest'): void {
    const goOn = which === 'oldest' ? this.#standing.shift() : this.#standing.pop();
    goOn?.();
  }
}
