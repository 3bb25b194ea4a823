export { type Access, type MemberRole, memberRoles } from './http/access.js';
export { bodyErrors, dashboardErrors } from './http/request-errors.js';
export { type LiveEvent, liveEvents } from './events/live-events.js';
export { type WebhookFinding, webhookFindings } from './webhooks/webhook-requests.js';
export { attemptOutcomes, webhookErrors, webhookModes } from './webhooks/webhook-words.js';
export { type EventType, eventTypeNames, eventTypes, isSentByDefault } from './events/event-types.js';
export { signatureFindings, signedParts } from './keys/signature-debug.js';
export {
  type DashboardBodyInput,
  type DashboardData,
  type OperationNameForPeople,
  type DashboardQueryInput,
  operationNamesForPeople,
  operationsForPeople,
  type OperationNameOnlyForPeople,
  operationNamesOnlyForPeople,
  operationsOnlyForPeople,
  type OperationBody,
  type OperationData,
  type OperationName,
  type OperationQuery,
  operationNames,
  routeTable,
} from './operations/route-table.js';
export { mayGiveScope, mayKnowKey } from './keys/roles-for-scopes.js';
export { awayMinutes, noticeKindNames, type NoticeKind } from './notices/notice-kinds.js';
export { sendForm } from './messages/send-form.js';
export type { AuditRule, OperationForPeople, OperationEntry } from './http/operation-entry.js';
export { scopes } from './http/scopes.js';
export { type ErrorCode, type ErrorEnvelope, errorCatalogue, type SuccessEnvelope } from './http/errors.js';
export { newContactsPolicies } from './devices/device-requests.js';
export { limits } from './http/limits.js';
export { isLinkFailure, linkFailures } from './devices/link-failures.js';
export { deviceStates } from './devices/device-states.js';
export { messagePriorities } from './messages/message-priorities.js';
export { messageReasons, type WaitingReason } from './messages/message-reasons.js';
export { messageStatuses, settledStatuses } from './messages/message-status.js';
export { defaultNetwork, defaultSandbox, isNetwork, isSandbox, networkNames, networks } from './devices/networks.js';
