export { commonErrors } from './http/request-errors.js';
export {
  type BodyOf,
  type DataOf,
  publicOperations,
  type PublicOperationName,
  publicOperationNames,
  type QueryOf,
} from './operations/route-table.js';
export type { AuditRule, PublicOperation } from './http/operation-entry.js';
export type { ConversationEvent, Event } from './events/event.js';
export { type ShownContent, showContent, showPerson } from './conversations/shown-content.js';
export {
  type EventType,
  eventTypeNames,
  eventTypes,
  type ConversationEventType,
  isAccountEventType,
  isConversationEventType,
  isDeviceEventType,
  isEventType,
  isMessageEventType,
  isSentByDefault,
  isWebhookEventType,
  statusOfEvent,
} from './events/event-types.js';
export { type Scope, scopes } from './http/scopes.js';
export { type AuditAction, auditActions, type SignInAction } from './http/audit-actions.js';
export {
  type InboundContact,
  type InboundContent,
  type InboundLocation,
  type InboundMedia,
  type InboundPoll,
  type InboundType,
  inboundTypes,
  mediaTypes,
  textOf,
} from './conversations/inbound-content.js';
export type {
  Chat,
  Identified,
  InboundMessage,
  InboundReport,
  Person,
  Quoted,
  ReadMark,
  Target,
} from './conversations/inbound-report.js';
export { type Content, type ContentKind, parseContent, type ReplyTo, textContent } from './messages/content.js';
export { awayMinutes, factsOfNotice, type NoticeKind, noticeKindNames } from './notices/notice-kinds.js';
export { adviceOf, type DeviceReason, deviceReasons, looseLimitAdvice } from './devices/device-reasons.js';
export {
  ApiError,
  type ErrorCode,
  type ErrorEnvelope,
  errorCatalogue,
  errorCodes,
  type SuccessEnvelope,
} from './http/errors.js';
export {
  type AccountId,
  type ApiKeyId,
  type ConversationId,
  type DeviceId,
  type InboundId,
  isConversationId,
  isDeviceId,
  isInboundId,
  isMessageId,
  isRenewalId,
  type MessageId,
  type PlanId,
  type RenewalId,
  type ReplayId,
  type UserId,
  type WebhookId,
  type WorkerId,
} from './fields/id-forms.js';
export { newId } from './fields/new-id.js';
export { limits } from './http/limits.js';
export { isLinkFailure, type LinkFailureReason, linkFailures } from './devices/link-failures.js';
export { type DeviceState, deviceStates } from './devices/device-states.js';
export {
  type MessageStatus,
  messageMoves,
  messageStatuses,
  refundedStatuses,
  type ShownMessageStatus,
  settledStatuses,
} from './messages/message-status.js';
export { type MessagePriority, messagePriorities, priorityRanks } from './messages/message-priorities.js';
export { type MessageReason, messageReasons, type WaitingReason, waitingReasons } from './messages/message-reasons.js';
export { type RenewalState, renewalStates } from './money/renewal.js';
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
} from './devices/networks.js';
export { parseInput } from './http/parse-input.js';
export { isRecipientNumber } from './fields/phone-number.js';
export { defaultTtlSeconds, type SendInput, sendRequest } from './messages/send-request.js';
export { isDisplayName } from './fields/display-name.js';
export {
  type AttemptOutcome,
  attemptOutcomes,
  type WebhookDisabledReason,
  type WebhookError,
  webhookErrors,
  type WebhookMode,
  webhookModes,
} from './webhooks/webhook-words.js';
