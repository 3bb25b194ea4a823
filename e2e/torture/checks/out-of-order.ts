/**
 * Out of order in a lane: two messages have the same device, priority and recipient, and the earlier one reached the
 * phone later. A message is earlier if its answer came before the other was asked for, or if it precedes the other in
 * the same bulk. Scheduled messages do not count.
 */
import type { Seen } from '../records/records.js';
import { type Finding, finding } from './findings.js';
import { groupBy } from './group-by.js';

type Placed = {
  readonly ref: string;
  readonly lane: string;
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly request: string;
  readonly position: number;
  readonly n: number;
};

function placed({ ref, recorded, shown }: Seen): Placed[] {
  const [first] = shown;
  if (recorded?.verdict?.kind !== 'accepted' || first === undefined || recorded.asked.sendAt !== null) return [];
  const { askedAt, account, device, priority, recipient } = recorded.asked;
  const { at: answeredAt, request, position } = recorded.verdict;
  const lane = [account, device, priority, recipient].join('|');
  return [{ ref, lane, askedAt, answeredAt, request, position, n: first.n }];
}

/** Pairs each message, in the order of asking, with the latest frame among the messages answered before it. */
function* overtakenByTime(lane: readonly Placed[]): Generator<readonly [Placed, Placed]> {
  const asked = [...lane].sort((a, b) => a.askedAt - b.askedAt);
  const answered = [...lane].sort((a, b) => a.answeredAt - b.answeredAt);
  let latest: Placed | null = null;
  let next = 0;
  for (const later of asked) {
    for (; (answered[next]?.answeredAt ?? Number.POSITIVE_INFINITY) < later.askedAt; next++) {
      const earlier = answered[next];
      if (earlier !== undefined && (latest === null || earlier.n > latest.n)) latest = earlier;
    }
    if (latest !== null && latest.n > later.n) yield [latest, later];
  }
}

function* overtakenInBulk(lane: readonly Placed[]): Generator<readonly [Placed, Placed]> {
  for (const together of groupBy(lane, (placed) => placed.request).values()) {
    const inOrder = [...together].sort((a, b) => a.position - b.position);
    for (const [i, later] of inOrder.entries()) {
      const earlier = inOrder[i - 1];
      if (earlier !== undefined && earlier.n > later.n) yield [earlier, later];
    }
  }
}

export function findOutOfOrder(messages: readonly Seen[]): Finding[] {
  const lanes = groupBy(messages.flatMap(placed), ({ lane }) => lane);
  return [...lanes.values()].flatMap((lane) =>
    [...overtakenByTime(lane), ...overtakenInBulk(lane)].map(([earlier, later]) =>
      finding('out_of_order_in_a_lane', `${later.ref} overtook ${earlier.ref}`),
    ),
  );
}
