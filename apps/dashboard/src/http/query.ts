/** Reads through the cache. The key begins with the operation, so that a live event can invalidate all its queries. */
import type { DashboardData, OperationNameForPeople } from '@kurir/contracts/dashboard';
import { queryOptions } from '@tanstack/react-query';
import { call, type Given } from './call.js';

export const queryKey = <O extends OperationNameForPeople>(operation: O, given?: Given<O>) =>
  given === undefined ? [operation] : [operation, given];

export const readQuery = <O extends OperationNameForPeople>(operation: O, given: Given<O>) =>
  queryOptions<DashboardData<O>>({
    queryKey: queryKey(operation, given),
    queryFn: ({ signal }) => call(operation, given, signal),
  });
