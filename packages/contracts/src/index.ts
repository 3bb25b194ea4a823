export { suspensionReason } from './accounts/suspension-reason.js';
export { commonErrors } from './http/request-errors.js';
export {
  type BodyOf,
  type DataOf,
  publicOperations,
  type PublicOperationName,
  publicOperationNames,
  type QueryOf,
} from './operations/route-table.js';
export type { AuditRule, PublicOperation, TestKeys } from './http/operation-entry.js';
export type { ConversationEvent, Event } from './events/event.js';
export { type ShownContent, showContent, showPerson } from './conversations/shown-content.js';
export {
  type EventType,
  eventTypeNames,
  eventTypes,
  type ConversationEventType,
  isAccountEventType,
  isBroadcastEventType,
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
  type BroadcastId,
  type ApiKeyId,
  type ContactId,
  type ConversationId,
  type DeviceId,
  type ImportId,
  type InboundId,
  isBroadcastId,
  isContactId,
  isConversationId,
  isDeviceId,
  isImportId,
  isInboundId,
  isMessageId,
  isRenewalId,
  isTestKey,
  isUploadId,
  type MessageId,
  type PlanId,
  type RenewalId,
  type ReplayId,
  type TemplateId,
  type UploadId,
  type UserId,
  type WebhookId,
  type WorkerId,
} from './fields/id-forms.js';
export { derivedId, newId } from './fields/new-id.js';
export { limits } from './http/limits.js';
export { isLinkFailure, type LinkFailureReason, linkFailures } from './devices/link-failures.js';
export {
  healthDays,
  healthFewest,
  type HealthReason,
  healthReasons,
  type HealthWord,
  healthWords,
} from './devices/device-health.js';
export { type DeviceState, deviceStates } from './devices/device-states.js';
export {
  type MessageStatus,
  messageMoves,
  messageStatuses,
  refundedStatuses,
  type ShownMessageStatus,
  settledStatuses,
} from './messages/message-status.js';
export {
  categoryRanks,
  defaultCategory,
  type MessageCategory,
  messageCategories,
} from './messages/message-categories.js';
export { type MessagePriority, messagePriorities, priorityRanks } from './messages/message-priorities.js';
export { type MessageReason, messageReasons, type WaitingReason, waitingReasons } from './messages/message-reasons.js';
export { type PaymentMethod, paymentMethods } from './money/payment-method.js';
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
export { invalidFieldHeader, writeFault } from './http/field-rules.js';
export { parseInput } from './http/parse-input.js';
export { isRecipientNumber } from './fields/phone-number.js';
export { canonicalNumber, notANumber, usualCountry, withCountry } from './fields/phone-destination.js';
export { defaultTtlSeconds, type SendInput, sendRequest } from './messages/send-request.js';
export { csvField } from './fields/csv-field.js';
export { canonicalLocale } from './contacts/contact-fields.js';
export { isTimeZone } from './fields/time-zone.js';
export { isAttributeKey, isListName } from './contacts/contact-names.js';
export { outcomeReason, outcomeWords } from './broadcasts/outcome-words.js';
export { refusalTextOf } from './contacts/refusal-texts.js';
export {
  type ImportProblem,
  importProblems,
  type ImportState,
  importStates,
  type OnExisting,
  onExistingWords,
  refusalSentences,
  type RefusalWord,
} from './contacts/import-words.js';
export { isDisplayName } from './fields/display-name.js';
export { isLanguage, type Language, languages } from './fields/language.js';
export { isStorableText } from './fields/storable-text.js';
export {
  type AttemptOutcome,
  attemptOutcomes,
  type WebhookDisabledReason,
  type WebhookError,
  webhookErrors,
  type WebhookMode,
  webhookModes,
} from './webhooks/webhook-words.js';
export {
  type OptOutSettings,
  type OptOutWish,
  optOutWishOf,
  optOutWordMaxLength,
  plainWord,
  usualOptOut,
} from './suppressions/opt-out.js';
export {
  givenSuppressionReasons,
  type SuppressionReason,
  suppressionReasons,
  type SuppressionScope,
  suppressionScopes,
} from './suppressions/suppression-words.js';
export { countCodePoints } from './fields/code-points.js';
export { type EqualShare, equalShare } from './templates/equal-share.js';
export {
  keysOf,
  nameKey,
  type ParsedTemplate,
  parseTemplate,
  type TemplateError,
  type TemplateParsing,
  type Variable,
  variablesOf,
} from './templates/parse-template.js';
export { type Rendering, renderTemplate, type Values } from './templates/render-template.js';
export type { ChosenAudience } from './broadcasts/broadcast-audience.js';
export {
  type AudienceProblem,
  audienceProblems,
  type BroadcastState,
  broadcastStates,
  type PauseReason,
  pauseReasons,
  type SkipReason,
  skipReasons,
} from './broadcasts/broadcast-states.js';
export { exceedsUsualHours, type SendWindow, showWindow, usualWindow } from './broadcasts/broadcast-rules.js';
