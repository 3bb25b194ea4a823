/**
 * Plans the faults of an attack and their times. Only the seed decides, so that a run can be repeated and an
 * interrupted run can continue. The gaps are shorter than most faults, so faults overlap.
 */
import type { Random } from './random.js';

export type Side = 'redis' | 'postgres';
export type FaultKind = keyof typeof weights;

export type Fault = {
  readonly index: number;
  /** Milliseconds after the previous fault. */
  readonly gapMs: number;
  readonly kind: FaultKind;
  /** Chooses one of several workers, apis or devices, modulo their number. */
  readonly which: number;
  /** How long the fault lasts, if its kind has a duration. */
  readonly forMs: number;
  /** The size of the fault, if its kind has one: frames, bytes, or milliseconds of skew. */
  readonly amount: number;
};

type Range = readonly [number, number];
type Shape = { readonly forMs?: Range; readonly amount?: Range };

/** How often each kind is drawn, relative to the sum of all weights. */
export const weights = {
  kill_worker: 25,
  kill_api: 12,
  kill_redis: 12,
  kill_postgres: 9,
  stop_worker: 8,
  pause_worker: 8,
  pause_api: 1,
  acknowledgement_lost: 6,
  acknowledgement_late: 2,
  frame_swallowed: 2,
  refused_for_now: 2,
  reset_in_mid_frame: 4,
  receipt_doubled: 1,
  sessions_restarted: 1,
  device_turned_away: 2,
  black_hole_redis: 3,
  black_hole_postgres: 3,
  connections_reset: 3,
  connections_forgotten: 3,
  torn_in_mid_answer: 3,
  redis_outage: 3,
  redis_wiped: 4,
  append_file_cut: 2,
  clock_skewed: 3,
  disk_full: 2,
} as const;

export type Weights = Readonly<Partial<Record<FaultKind, number>>>;

const shapes: Readonly<Partial<Record<FaultKind, Shape>>> = {
  kill_redis: { forMs: [0, 1_500] },
  kill_postgres: { forMs: [0, 1_500] },
  pause_worker: { forMs: [5_000, 40_000] },
  pause_api: { forMs: [2_000, 8_000] },
  acknowledgement_lost: { amount: [1, 4] },
  acknowledgement_late: { amount: [1, 3], forMs: [1_000, 9_000] },
  frame_swallowed: { amount: [1, 2] },
  refused_for_now: { amount: [1, 3], forMs: [200, 4_000] },
  reset_in_mid_frame: { amount: [1, 3] },
  receipt_doubled: { amount: [1, 20] },
  device_turned_away: { forMs: [25_000, 38_000] },
  black_hole_redis: { forMs: [5_000, 5_000] },
  black_hole_postgres: { forMs: [5_000, 5_000] },
  // The time until the server notices. Its clients must notice by themselves.
  connections_forgotten: { forMs: [10_000, 30_000] },
  // Longer than BullMQ's blocking command waits.
  redis_outage: { forMs: [6_000, 12_000] },
  redis_wiped: { forMs: [0, 1_000] },
  append_file_cut: { forMs: [0, 1_000], amount: [1, 65_536] },
  disk_full: { forMs: [2_000, 8_000] },
  // Minutes in both directions.
  clock_skewed: { amount: [-600_000, 600_000], forMs: [5_000, 30_000] },
};

const kinds = Object.keys(weights) as readonly FaultKind[]; // Object.keys returns `string`; these are the keys of `weights`

function draw(random: Random, wanted: Weights): FaultKind {
  const total = kinds.reduce((sum, kind) => sum + (wanted[kind] ?? 0), 0);
  let left = random.next() * total;
  for (const kind of kinds) {
    left -= wanted[kind] ?? 0;
    if (left < 0) return kind;
  }
  throw new Error('no fault has a weight');
}

const within = (random: Random, range: Range | undefined) => (range === undefined ? 0 : random.whole(...range));

export function planFaults(random: Random, count: number, wanted: Weights, meanGapMs: number): Fault[] {
  return Array.from({ length: count }, (_, index) => {
    const kind = draw(random, wanted);
    const { forMs, amount } = shapes[kind] ?? {};
    return {
      index,
      gapMs: Math.round(meanGapMs * (0.2 + 1.6 * random.next())),
      kind,
      which: random.whole(0, 9_999),
      forMs: within(random, forMs),
      amount: within(random, amount),
    };
  });
}
