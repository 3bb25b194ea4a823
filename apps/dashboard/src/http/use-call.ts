import type { DashboardData, DashboardOperation } from '@kurir/contracts/dashboard';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callConfirmed } from './confirmation.js';
import type { Given } from './call.js';
import { queryKey } from './query.js';

/** A change through the gateway; what it makes stale is read again before it counts as done. */
export function useCall<O extends DashboardOperation>(operation: O, stale: readonly DashboardOperation[] = []) {
  const client = useQueryClient();
  return useMutation<DashboardData<O>, Error, Given<O>>({
    mutationFn: (given) => callConfirmed(operation, given),
    onSuccess: () => Promise.all(stale.map((name) => client.invalidateQueries({ queryKey: queryKey(name) }))),
  });
}
