/**
 * The places where a worker stands still: before a statement, before it receives the answer, and while the network has not
 * answered. A worker that does two things at once stands in two places. It goes on only when the model tells it to.
 */
type Standing = {
  readonly goOn: () => void;
  /** Makes the statement fail; null if the worker stands at no statement. */
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

  /** Called by the worker. Resolves when the model releases it. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#standing.push({ goOn: resolve, fail: null });
    });
  }

  /** As `stop`, at a statement. Rejects if the statement times out. */
  stopAtStatement(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#standing.push({ goOn: resolve, fail: reject });
    });
  }

  /** Lets the worker go on in one place. */
  release(which: 'oldest' | 'newest'): void {
    const standing = which === 'oldest' ? this.#standing.shift() : this.#standing.pop();
    standing?.goOn();
  }

  /** The oldest statement times out. */
  giveUp(): void {
    const at = this.#standing.findIndex(({ fail }) => fail !== null);
    const [standing] = this.#standing.splice(at, 1);
    standing?.fail?.(new Error('Query read timeout'));
  }
}
