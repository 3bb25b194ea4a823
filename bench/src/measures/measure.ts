/** A measure compares two sides. Both run in turn, in the same run of the benchmark. */
import type { Setting } from '../processes/setting.js';
import type { CpuUs } from '../readings/cpu-time.js';

/** The result of one run of one side. */
export type Sample = {
  readonly perSecond: number;
  /** CPU time per message: first of the process under test, then of all other processes that took part. */
  readonly cpuUs: CpuUs;
};

export type Side = () => Promise<Sample>;
export type Sides = { readonly ours: Side; readonly base: Side };

export type Measure = {
  readonly name: string;
  readonly unit: string;
  /** The least ratio that is good; null if there is no target. */
  readonly target: number | null;
  /** Starts and warms up everything that both sides need. */
  readonly open: (setting: Setting) => Promise<Sides>;
};
