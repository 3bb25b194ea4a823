import type { DashboardData } from '@kurir/contracts/dashboard';

export type ApiKey = DashboardData<'listKeys'>['keys'][number];
