import type { DashboardData } from '@kurir/contracts/dashboard';

export type Report = DashboardData<'readReport'>;
export type Part = Report['parts'][number];
