/**
 * What is done to the product, and when: a list that the seed alone decides, so that a run can be repeated and an
 * interrupted one can go on. Gaps are shorter than most faults last, so faults overlap.
 */
import type { Random } from './random.js';

export type Side = 'redis' | 'postgres';
export type FaultKind = keyof typeof weights;

export type Fault = {
  readonly index: number;
  /** Milliseconds after the fault before it. */
  readonly gapMs: number;
  readonly kind: FaultKind;
  /** Which of several: a worker, an api, a device. Taken modulo their number. */
  readonly which: number;
  /** How long it lasts, where the kind lasts. */
  readonly forMs: number;
  /** How much, where the kind has a measure: frames, bytes, milliseconds of skew. */
  readonly amount: number;
};

type Range = readonly [number, number];
type Shape = { readonly forMs?: Range; readonly amount?: Range };

/** How often each kind is drawn, of the sum of all. */
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
  // Until the server has noticed; its clients have to do so by themselves.
  connections_forgotten: { forMs: [10_000, 30_000] },
  // Longer than the 5 s for which BullMQ's blocking command waits.
  redis_outage: { forMs: [6_000, 12_000] },
  redis_wiped: { forMs: [0, 1_000] },
  append_file_cut: { forMs: [0, 1_000], amount: [1, 65_536] },
  disk_full: { forMs: [2_000, 8_000] },
  // Up to ten minutes, either way.
  clock_skewed: { amount: [-600_000, 600_000], forMs: [5_000, 30_000] },
};

const kinds = Object.keys(weights) as readonly FaultKind[]; // the table's own keys; Object.keys only knows `string`

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
