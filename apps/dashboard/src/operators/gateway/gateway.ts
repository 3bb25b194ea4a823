import type { DashboardData } from '@kurir/contracts/dashboard';

export type Gateway = DashboardData<'adminShowGateway'>;
