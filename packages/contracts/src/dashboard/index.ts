export { type Access, type MemberRole, memberRoles } from '../access.js';
export { bodyErrors, dashboardErrors } from './dashboard-errors.js';
export { type LiveEvent, liveEvents } from './event-routes.js';
export { signatureFindings } from './key-routes.js';
export {
  type DashboardBodyInput,
  type DashboardData,
  type DashboardOperation,
  type DashboardQueryInput,
  dashboardOperations,
  dashboardRoutes,
  type OwnDashboardOperation,
  ownDashboardOperations,
  ownDashboardRoutes,
  type OperationBody,
  type OperationData,
  type OperationName,
  type OperationQuery,
  operationNames,
  routeTable,
} from './routes.js';
export { sendForm } from './send-form.js';
export type { AuditRule, DashboardRoute, OperationEntry } from '../operation-entry.js';
export { scopes } from '../scopes.js';
export { type ErrorCode, type ErrorEnvelope, errorCatalogue, type SuccessEnvelope } from '../errors.js';
export { newContactsPolicies } from '../device-requests.js';
export { limits } from '../limits.js';
export { isLinkFailure, linkFailures } from '../link-failures.js';
export {
  deviceStates,
  messagePriorities,
  messageReasons,
  messageStatuses,
  settledStatuses,
  type WaitingReason,
} from '../message-status.js';
export { defaultNetwork, defaultSandbox, isNetwork, isSandbox, networkNames, networks } from '../networks.js';
