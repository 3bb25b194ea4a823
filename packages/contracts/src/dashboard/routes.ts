/**
 * The dashboard's route table, as `endpoints` is the signed api's: a route is added to one of these tables, and the
 * compiler asks for its handler. Every answer has the public api's envelope; the session is a cookie; what changes
 * something must come from the dashboard's own origin.
 */
import type { z } from 'zod';
import { adminRoutes } from './admin-routes.js';
import { deviceRoutes } from './device-routes.js';
import { eventRoutes } from './event-routes.js';
import { keyRoutes } from './key-routes.js';
import { messageRoutes } from './message-routes.js';
import { moneyRoutes } from './money-routes.js';
import { sessionRoutes } from './session-routes.js';

export const dashboardRoutes = {
  ...sessionRoutes,
  ...deviceRoutes,
  ...messageRoutes,
  ...keyRoutes,
  ...moneyRoutes,
  ...adminRoutes,
  ...eventRoutes,
} as const;

export type DashboardOperation = keyof typeof dashboardRoutes;

// The table's own keys; Object.keys only knows `string`.
export const dashboardOperations = Object.keys(dashboardRoutes) as readonly DashboardOperation[];

type Table = typeof dashboardRoutes;
type Parsed<S> = S extends z.ZodType ? z.output<S> : null;
type Given<S> = S extends z.ZodType ? z.input<S> : null;

export type DashboardBody<O extends DashboardOperation> = Parsed<Table[O]['body']>;
export type DashboardQuery<O extends DashboardOperation> = Parsed<Table[O]['query']>;
export type DashboardData<O extends DashboardOperation> = z.output<Table[O]['data']>;
/** The same as the browser sends it, before it is parsed. */
export type DashboardBodyInput<O extends DashboardOperation> = Given<Table[O]['body']>;
export type DashboardQueryInput<O extends DashboardOperation> = Given<Table[O]['query']>;
