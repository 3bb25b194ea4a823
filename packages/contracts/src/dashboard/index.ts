export { type Access, type MemberRole, memberRoles } from '../access.js';
export { bodyErrors, type DashboardRoute, dashboardErrors } from './dashboard-route.js';
export { type LiveEvent, liveEvents } from './event-routes.js';
export { signatureFindings } from './key-routes.js';
export {
  type DashboardBody,
  type DashboardBodyInput,
  type DashboardData,
  type DashboardOperation,
  type DashboardQuery,
  type DashboardQueryInput,
  dashboardOperations,
  dashboardRoutes,
  type OwnDashboardOperation,
  ownDashboardOperations,
  ownDashboardRoutes,
} from './routes.js';
export { sendForm } from './send-form.js';
export { scopes } from '../endpoints.js';
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
