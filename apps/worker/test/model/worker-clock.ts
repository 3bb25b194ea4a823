/** The clock of a worker of the model: its time is the model's, and its pauses end when the worker is told to go on. */
import type { Clock } from '../../src/messages/clock.js';
import type { Expected } from './expected.js';
import type { StoppingPoint } from './stopping-point.js';

export class WorkerClock implements Clock {
  readonly #expected: Expected;
  readonly #point: StoppingPoint;
  readonly #timers = new Set<{ readonly dueAt: number; readonly call: () => void }>();

  constructor(expected: Expected, point: StoppingPoint) {
    this.#expected = expected;
    this.#point = point;
  }

  now(): number {
    return this.#expected.now;
  }

  pause(): Promise<void> {
    return this.#point.stop();
  }

  after(ms: number, call: () => void): () => void {
    const timer = { dueAt: this.now() + ms, call };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Removes the timers that are due, and yields their calls one by one. */
  *takeDue(): Generator<() => void> {
    for (const timer of this.#timers) if (timer.dueAt <= this.now() && this.#timers.delete(timer)) yield timer.call;
  }
}
