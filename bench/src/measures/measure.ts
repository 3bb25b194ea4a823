/** What a measure is, and what comes out of one. Both sides of it run in turn, in the same run of the program. */
import type { Setting } from '../processes/setting.js';
import type { CpuUs } from '../readings/cpu-time.js';

/** One side, once. */
export type Sample = {
  readonly perSecond: number;
  /** CPU time per message: of the process under test first, then of all that worked for it. */
  readonly cpuUs: CpuUs;
};

export type Side = () => Promise<Sample>;
export type Sides = { readonly ours: Side; readonly base: Side };

export type Measure = {
  readonly name: string;
  readonly unit: string;
  /** What the ratio should be at least; null: nothing is asked of it. */
  readonly target: number | null;
  /** Starts everything that both sides need and warms it up. */
  readonly open: (setting: Setting) => Promise<Sides>;
};
