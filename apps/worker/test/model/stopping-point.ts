/**
 * Where a worker stands still: before a statement, before its answer is heard, and while the network has not answered;
 * in two places when it does two things at once. It goes on only when it is told to, however much later that is, or never.
 */
type Standing = {
  readonly goOn: () => void;
  /** Gives the statement up; null where there is none. */
  readonly fail: ((error: Error) => void) | null;
};

export class StoppingPoint {
  readonly #standing: Standing[] = [];

  get isStanding(): boolean {
    return this.#standing.length > 0;
  }

  get mayGiveUp(): boolean {
    return this.#standing.some(({ fail }) => fail !== null);
  }

  /** The worker's side. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#standing.push({ goOn: resolve, fail: null });
    });
  }

  /** The same at a statement: rejects when it is given up. */
  stopAtStatement(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#standing.push({ goOn: resolve, fail: reject });
    });
  }

  /** Lets it go on in one place; the next thing that happens is up to the worker. */
  release(which: 'oldest' | 'newest'): void {
    const standing = which === 'oldest' ? this.#standing.shift() : this.#standing.pop();
    standing?.goOn();
  }

  /** The worker has waited too long for its oldest statement. */
  giveUp(): void {
    const at = this.#standing.findIndex(({ fail }) => fail !== null);
    const [standing] = this.#standing.splice(at, 1);
    standing?.fail?.(new Error('Query read timeout'));
  }
}
