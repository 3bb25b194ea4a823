import type { DashboardData, OperationNameForPeople } from '@kurir/contracts/dashboard';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callConfirmed } from './confirmation.js';
import type { Given } from './call.js';
import { queryKey } from './query.js';

/** Calls an operation that changes something. The mutation succeeds after the `stale` operations were read again. */
export function useCall<O extends OperationNameForPeople>(operation: O, stale: readonly OperationNameForPeople[] = []) {
  const client = useQueryClient();
  return useMutation<DashboardData<O>, Error, Given<O>>({
    mutationFn: (given) => callConfirmed(operation, given),
    onSuccess: () => Promise.all(stale.map((name) => client.invalidateQueries({ queryKey: queryKey(name) }))),
  });
}
