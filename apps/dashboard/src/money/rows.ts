import type { DashboardData } from '@kurir/contracts/dashboard';

export type Plan = DashboardData<'listPlans'>['plans'][number];
export type Party = DashboardData<'readInvoiceDetails'>;
export type Invoice = DashboardData<'listInvoices'>['invoices'][number];
