/**
 * What people can do: the operations of the public api that a person may use, and those that only people use. One of the
 * latter is added to one of these tables, and the compiler asks for its handler. The session is a cookie; what changes
 * something must come from the dashboard's own origin.
 */
import type { z } from 'zod';
import { endpoints } from '../endpoints.js';
import { adminRoutes } from './admin-routes.js';
import { deviceRoutes } from './device-routes.js';
import { eventRoutes } from './event-routes.js';
import { keyRoutes } from './key-routes.js';
import { messageRoutes } from './message-routes.js';
import { moneyRoutes } from './money-routes.js';
import { sessionRoutes } from './session-routes.js';

/** Only people use these. */
export const ownDashboardRoutes = {
  ...sessionRoutes,
  ...deviceRoutes,
  ...messageRoutes,
  ...keyRoutes,
  ...moneyRoutes,
  ...adminRoutes,
  ...eventRoutes,
} as const;

// A bulk is for programs.
const { sendBulk: _onlyForKeys, ...forPeopleToo } = endpoints;

/** All operations, whoever may use them. A name that stands twice would hide one of them: routes.test.ts. */
export const routeTable = { ...endpoints, ...ownDashboardRoutes } as const;

export type OperationName = keyof typeof routeTable;

export const dashboardRoutes = { ...forPeopleToo, ...ownDashboardRoutes } as const;

export type OwnDashboardOperation = keyof typeof ownDashboardRoutes;
export type DashboardOperation = keyof typeof dashboardRoutes;

// The table's own keys; Object.keys only knows `string`.
export const operationNames = Object.keys(routeTable) as readonly OperationName[];
export const ownDashboardOperations = Object.keys(ownDashboardRoutes) as readonly OwnDashboardOperation[];
export const dashboardOperations = Object.keys(dashboardRoutes) as readonly DashboardOperation[];

type Table = typeof dashboardRoutes;
type Parsed<S> = S extends z.ZodType ? z.output<S> : null;
type Given<S> = S extends z.ZodType ? z.input<S> : null;

type Whole = typeof routeTable;
export type OperationBody<O extends OperationName> = Parsed<Whole[O]['body']>;
export type OperationQuery<O extends OperationName> = Parsed<Whole[O]['query']>;
export type OperationData<O extends OperationName> = z.output<Whole[O]['data']>;
export type DashboardData<O extends DashboardOperation> = z.output<Table[O]['data']>;
/** The same as the browser sends it, before it is parsed. */
export type DashboardBodyInput<O extends DashboardOperation> = Given<Table[O]['body']>;
export type DashboardQueryInput<O extends DashboardOperation> = Given<Table[O]['query']>;
