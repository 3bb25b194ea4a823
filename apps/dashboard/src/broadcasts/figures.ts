/** Sums of the counts of a broadcast. Each recipient is in exactly one of them. */
import type { DashboardData } from '@kurir/contracts/dashboard';

export type CountedBroadcast = DashboardData<'getBroadcast'>;
export type Broadcast = CountedBroadcast['broadcast'];
export type Counts = CountedBroadcast['counts'];

export type Figures = {
  /** Recipients who are to get a message, or were until somebody cancelled the broadcast. */
  readonly planned: number;
  /** The network has the message. */
  readonly sent: number;
  readonly failed: number;
  readonly unknown: number;
  /** Messages or recipients that were taken back. */
  readonly cancelled: number;
  /** Waiting, or being sent right now. */
  readonly left: number;
  /** Recipients who were never to get a message. */
  readonly skipped: number;
};

export function figuresOf({ pending, skipped, messages }: Counts): Figures {
  const of = (status: keyof Counts['messages']) => messages[status] ?? 0;
  const takenBack = skipped.find(({ reason }) => reason === 'cancelled')?.count ?? 0;
  const allSkipped = skipped.reduce((sum, { count }) => sum + count, 0);
  const sent = of('sent') + of('delivered') + of('read');
  const failed = of('failed') + of('expired');
  const unknown = of('unknown');
  const cancelled = of('cancelled') + takenBack;
  const left = pending + of('queued') + of('sending');
  return {
    planned: sent + failed + unknown + cancelled + left,
    sent,
    failed,
    unknown,
    cancelled,
    left,
    skipped: allSkipped - takenBack,
  };
}
