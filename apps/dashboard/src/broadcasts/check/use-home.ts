import { useQuery } from '@tanstack/react-query';
import type { DashboardData } from '@kurir/contracts/dashboard';
import { readQuery } from '../../http/query.js';

export type Home = DashboardData<'readAccountCountry'>;

/** The country of the account, its time zones, and the one in which its customers live, if the account has chosen it. */
export const useHome = () => useQuery({ ...readQuery('readAccountCountry', {}), staleTime: 5 * 60_000 });
