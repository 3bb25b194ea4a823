export {
  type BodyOf,
  commonErrors,
  type DataOf,
  endpoints,
  type Operation,
  operations,
  type QueryOf,
} from './endpoints.js';
export type { AuditRule, Endpoint } from './operation-entry.js';
export { type Scope, scopes } from './scopes.js';
export { type AuditAction, auditActions, type SignInAction } from './audit-actions.js';
export { type Content, type ContentKind, parseContent, textContent } from './content.js';
export { adviceOf, type DeviceReason, deviceReasons, looseLimitAdvice } from './device-reasons.js';
export {
  ApiError,
  type ErrorCode,
  type ErrorEnvelope,
  errorCatalogue,
  errorCodes,
  type SuccessEnvelope,
} from './errors.js';
export {
  type AccountId,
  type ApiKeyId,
  type DeviceId,
  isDeviceId,
  isMessageId,
  isRenewalId,
  type MessageId,
  type PlanId,
  type RenewalId,
  type UserId,
  type WorkerId,
} from './id-forms.js';
export { newId } from './ids.js';
export { limits } from './limits.js';
export { isLinkFailure, type LinkFailureReason, linkFailures } from './link-failures.js';
export {
  type DeviceState,
  deviceStates,
  type MessagePriority,
  type MessageReason,
  type MessageStatus,
  messageMoves,
  messagePriorities,
  messageReasons,
  messageStatuses,
  priorityRanks,
  type RenewalState,
  refundedStatuses,
  renewalStates,
  type ShownMessageStatus,
  settledStatuses,
  type WaitingReason,
  waitingReasons,
} from './message-status.js';
export {
  defaultNetwork,
  defaultSandbox,
  isNetwork,
  isSandbox,
  type Network,
  type NetworkDeclaration,
  networkNames,
  networks,
  type PairingMethod,
  type Politeness,
  sandboxNetworks,
} from './networks.js';
export { parseInput } from './parse-input.js';
export { isRecipientNumber } from './phone-number.js';
export { defaultTtlSeconds, type SendInput, sendRequest } from './send-request.js';
export { isStorableText } from './storable-text.js';
