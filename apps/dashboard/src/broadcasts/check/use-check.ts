import type { DashboardData } from '@kurir/contracts/dashboard';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../http/call.js';
import { queryKey } from '../../http/query.js';
import { broadcastQuery } from '../broadcast-queries.js';

export type Check = DashboardData<'checkBroadcast'>;

/**
 * Checks the list of a broadcast, after Kurir has read it. A check of a fixed list changes nothing, so it is read like
 * a query. Null: there is nothing to check yet.
 */
export function useCheck(broadcastId: string | null) {
  const params = { broadcast_id: broadcastId ?? '' };
  const found = useQuery({ ...broadcastQuery(params.broadcast_id), enabled: broadcastId !== null });
  const { state, planned_share: share, audience_problem: problem } = found.data?.broadcast ?? {};
  const isReading = broadcastId !== null && state === 'checking';
  const check = useQuery({
    queryKey: queryKey('checkBroadcast', { params }),
    queryFn: ({ signal }) => call('checkBroadcast', { params }, signal),
    enabled: broadcastId !== null && state !== undefined && !isReading,
  });
  return {
    check: broadcastId === null ? undefined : check.data,
    /** Kurir still reads the list. */
    isReading,
    share: share ?? 0,
    /** The word for why the list cannot be read to its end. */
    problem: problem?.code ?? null,
    isBusy: broadcastId !== null && (found.isFetching || check.isFetching) && check.data === undefined,
    failure: found.error ?? check.error,
  };
}
