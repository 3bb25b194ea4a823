import { dashboardRoutes } from '@kurir/contracts/dashboard';

export const sendSchema = dashboardRoutes.sendTest.body;
