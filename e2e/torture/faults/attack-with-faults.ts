/**
 * Plays the planned faults. They begin one after the other and overlap. A fault is under way until the thing that it
 * broke works again. The number of faults under way is limited, and a new fault waits a moment while the gateway is
 * behind. So a slow machine makes the attack longer, but something is always alive to attack.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../plan/plan-faults.js';
import type { RunJournal } from '../records/run-journal.js';
import { injectFault, type Target } from './inject-fault.js';

export type FaultOptions = {
  readonly target: Target;
  readonly faults: readonly Fault[];
  readonly journal: RunJournal;
  readonly isBehind: () => boolean;
  readonly tell: (done: number) => void;
  readonly signal: AbortSignal;
  /** Called when the last fault has begun. The load ends soon after, so no later message can wake a forgotten lane. */
  readonly onLast: () => void;
};

const underWayAtMost = 7;
const waitAtMostMs = 4_000;
const askAgainMs = 100;

async function play({ target, journal }: FaultOptions, fault: Fault): Promise<void> {
  const { index, kind } = fault;
  journal.write({ kind: 'fault_begun', index, fault: kind });
  const remark = await injectFault(target, fault);
  journal.write({ kind: 'fault_ended', index, fault: kind, remark });
}

/** The faults under way. The first failure ends the attack. */
class UnderWay {
  readonly #playing = new Set<Promise<void>>();
  readonly #failed = new AbortController();

  add(work: Promise<void>): void {
    const playing: Promise<void> = work
      .catch((error: unknown) => this.#failed.abort(error))
      .finally(() => this.#playing.delete(playing));
    this.#playing.add(playing);
  }

  async roomFor(another: number): Promise<void> {
    while (this.#playing.size + another > underWayAtMost) await Promise.race(this.#playing);
    this.#failed.signal.throwIfAborted();
  }

  async end(): Promise<void> {
    await Promise.all(this.#playing);
    this.#failed.signal.throwIfAborted();
  }
}

/** Waits a limited time for a gateway that is behind, because it must stay under attack. */
async function untilCaughtUp({ isBehind, signal }: FaultOptions): Promise<void> {
  const until = performance.now() + waitAtMostMs;
  while (isBehind() && performance.now() < until && !signal.aborted) await sleep(askAgainMs);
}

/** Resolves when all faults are over. Skips the faults that have begun according to the journal. */
export async function attackWithFaults(options: FaultOptions): Promise<void> {
  const { faults, journal, signal } = options;
  const begun = new Set(journal.entries.flatMap((entry) => (entry.kind === 'fault_begun' ? [entry.index] : [])));
  const underWay = new UnderWay();
  for (const fault of faults.filter(({ index }) => !begun.has(index))) {
    await sleep(fault.gapMs);
    await underWay.roomFor(1);
    await untilCaughtUp(options);
    signal.throwIfAborted();
    underWay.add(play(options, fault));
    options.tell(fault.index + 1);
    if (fault.index === faults.length - 1) options.onLast();
  }
  await underWay.end();
}
