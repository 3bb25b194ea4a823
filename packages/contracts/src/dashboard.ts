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
export { type PaymentMethod, paymentMethods } from './money/payment-method.js';
export { awayMinutes, noticeKindNames, type NoticeKind } from './notices/notice-kinds.js';
export { sendForm } from './messages/send-form.js';
export { type AuditAction, type AuditGroup, auditActions, auditGroups } from './http/audit-actions.js';
export type { AuditRule, OperationForPeople, OperationEntry } from './http/operation-entry.js';
export { type RequestOutcome, requestOutcomes } from './requests/request-outcomes.js';
export { scopes } from './http/scopes.js';
export { type ErrorCode, type ErrorEnvelope, errorCatalogue, type SuccessEnvelope } from './http/errors.js';
export { newContactsPolicies } from './devices/device-requests.js';
export {
  brokenRuleOf,
  type FieldFault,
  type FieldRule,
  fieldRules,
  invalidFieldHeader,
  readFault,
} from './http/field-rules.js';
export type { DeviceReason } from './devices/device-reasons.js';
export { limits } from './http/limits.js';
export { isLinkFailure, linkFailures } from './devices/link-failures.js';
export { deviceStates } from './devices/device-states.js';
export { messagePriorities } from './messages/message-priorities.js';
export { messageReasons, type WaitingReason } from './messages/message-reasons.js';
export {
  type AudienceProblem,
  type BroadcastState,
  broadcastStates,
  type PauseReason,
  pauseReasons,
  type SkipReason,
  skipReasons,
} from './broadcasts/broadcast-states.js';
export { isAttributeKey, isListName } from './contacts/contact-names.js';
export { type Language, languages } from './fields/language.js';
export { csvField } from './fields/csv-field.js';
export { outcomeReason, outcomeWords, skipSentences } from './broadcasts/outcome-words.js';
export type { MessageReason } from './messages/message-reasons.js';
export { reasonSentences, statusWords } from './messages/message-words.js';
export { refusalTextOf } from './contacts/refusal-texts.js';
export { isRecipientNumber } from './fields/phone-number.js';
export { canonicalNumber, setLocalCountry } from './fields/phone-destination.js';
export { messageCategories } from './messages/message-categories.js';
export { plainWord } from './suppressions/opt-out.js';
export {
  givenSuppressionReasons,
  type SuppressionReason,
  suppressionReasons,
  type SuppressionScope,
  suppressionScopes,
} from './suppressions/suppression-words.js';
export { messageStatuses, settledStatuses } from './messages/message-status.js';
export { defaultNetwork, defaultSandbox, isNetwork, isSandbox, networkNames, networks } from './devices/networks.js';
export { equalShare } from './templates/equal-share.js';
export {
  keysOf,
  nameKey,
  type ParsedTemplate,
  parseTemplate,
  placeInText,
  variablesOf,
} from './templates/parse-template.js';
export { renderTemplate } from './templates/render-template.js';
export {
  type Piece,
  printParts,
  scanTemplate,
  type TemplateProblem,
  templateProblems,
} from './templates/scan-template.js';
export { countCodePoints } from './fields/code-points.js';
