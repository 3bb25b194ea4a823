/** The report that the overview page shows, and its parts. */
import type { DashboardData } from '@kurir/contracts/dashboard';

export type Overview = DashboardData<'readOverview'>;
export type Hour = Overview['hours'][number];
