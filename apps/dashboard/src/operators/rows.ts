import type { DashboardData } from '@kurir/contracts/dashboard';

export type Account = DashboardData<'adminListAccounts'>['accounts'][number];
export type Plan = DashboardData<'adminListPlans'>['plans'][number];
export type Worker = DashboardData<'adminListWorkers'>['workers'][number];
export type AccountDetail = DashboardData<'adminShowAccount'>;
