/** The work of one worker of the model, which goes from one stopping point to the next. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { StoppingPoint } from './stopping-point.js';
import type { Waits } from './wiretap.js';

/** More rounds of the event loop than a worker needs between two stopping points. Group commits gather for one round. */
const roundsOfOneStep = 4;

export class SteppedWork {
  readonly point = new StoppingPoint();
  readonly #failed: (error: unknown) => void;
  #running: Promise<void> | null = null;
  /** The number of statements that Postgres has not answered. */
  #asking = 0;
  #heard: () => void = () => undefined;

  /** Calls `failed` if a piece of work rejects. */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  get isIdle(): boolean {
    return this.#running === null;
  }

  /** Stops before each statement and before each answer. */
  get waits(): Waits {
    return {
      before: () => this.point.stopAtStatement(),
      asks: () => {
        this.#asking++;
      },
      heard: () => {
        this.#asking--;
        this.#heard();
      },
      after: () => this.point.stopAtStatement(),
    };
  }

  /** Begins another piece of work in addition to the present one, up to its first stopping point. */
  async start(work: () => Promise<void>): Promise<void> {
    const before = this.#running;
    const running = Promise.all([before, work()])
      .catch((error: unknown) => this.#failed(error))
      .then(() => {
        if (this.#running === running) this.#running = null;
      });
    this.#running = running;
    await this.still();
  }

  /** Takes at most so many steps. */
  async go(steps: number): Promise<void> {
    for (let left = steps; left > 0 && this.point.isStanding; left--) {
      // If it stands in two places, both orders occur, because the number of steps is random.
      this.point.release(left % 2 === 0 ? 'oldest' : 'newest');
      await this.still();
    }
  }

  /** Resolves when nothing moves any more: the work stands at one or two stopping points, or is done. */
  async still(): Promise<void> {
    for (;;) {
      if (this.#asking > 0)
        await new Promise<void>((resolve) => {
          this.#heard = resolve;
        });
      for (let rounds = 0; rounds < roundsOfOneStep; rounds++) await yieldToEventLoop();
      if (this.#running === null || (this.point.isStanding && this.#asking === 0)) return;
    }
  }
}
