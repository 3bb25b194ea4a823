import type { DashboardData } from '@kurir/contracts/dashboard';

export type Overview = DashboardData<'readOverview'>;
