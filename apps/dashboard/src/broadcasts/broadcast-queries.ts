/** Reads broadcasts. Live events say when the state changed; while messages go out, polling brings the numbers. */
import { readQuery } from '../http/query.js';
import type { CountedBroadcast } from './figures.js';
import { isMoving } from './state.js';

const movingMs = 2_000;
const restingMs = 15_000;
/** Receipts still arrive for a while after the last message. */
const receiptsMs = 30 * 60_000;

function refetchAfter(found: CountedBroadcast | undefined): number | false {
  if (found === undefined) return false;
  const { state, ended_at: endedAt } = found.broadcast;
  if (isMoving(state) || found.counts.messages.queued !== undefined) return movingMs;
  if (state === 'paused' || state === 'scheduled') return restingMs;
  return endedAt !== null && Date.now() - Date.parse(endedAt) < receiptsMs ? restingMs : false;
}

export const broadcastQuery = (broadcastId: string) => ({
  ...readQuery('getBroadcast', { params: { broadcast_id: broadcastId } }),
  refetchInterval: ({ state }: { state: { data: CountedBroadcast | undefined } }) => refetchAfter(state.data),
});
