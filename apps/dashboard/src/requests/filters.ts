/** The filters of the list of requests. They are in the address, so that a person can share a view. */
import { type DashboardQueryInput, type ErrorCode, errorCatalogue, requestOutcomes } from '@kurir/contracts/dashboard';

export type RequestSearch = {
  key?: string | undefined;
  outcome?: string | undefined;
  operation?: string | undefined;
  code?: string | undefined;
  request?: string | undefined;
};

// The catalogue has exactly these codes; Object.keys only knows `string`.
export const errorCodes = (Object.keys(errorCatalogue) as ErrorCode[]).toSorted();

export function filtersOf(search: RequestSearch): NonNullable<DashboardQueryInput<'listRequests'>> {
  const { key, operation = '', request = '' } = search;
  const outcome = requestOutcomes.find((one) => one === search.outcome);
  const code = errorCodes.find((one) => one === search.code);
  return {
    ...(key ? { api_key: key } : {}),
    ...(outcome === undefined ? {} : { outcome }),
    ...(/^[A-Za-z]{1,64}$/.test(operation) ? { operation } : {}),
    ...(code === undefined ? {} : { code }),
    ...(request.trim() === '' ? {} : { request_id: request.trim() }),
  };
}

export const isFiltered = (search: RequestSearch): boolean => Object.values(search).some(Boolean);
