export { type AccountKeys, createAccountKeys } from './accounts/account-keys.js';
export {
  type AccountInfo,
  type ChosenPlan,
  changePlan,
  choosePlan,
  createAccount,
  createPlan,
  grantPeriod,
  readAccountInfo,
  readAccountName,
  readCheapestPlan,
  readChosenPlan,
} from './accounts/accounts.js';
export {
  changeApiKey,
  createApiKey,
  type KeyOutcome,
  type LiveApiKey,
  noteSecretsUsed,
  readApiKey,
  readEndedSecrets,
  revokeApiKey,
  rotateApiKeySecret,
} from './accounts/api-keys.js';
export {
  type Audit,
  noteReading,
  noteRefusedSignIn,
  noteSignIn,
} from './accounts/audit.js';
export { type AuditFilter, type AuditPage, type AuditRow, readAudit } from './accounts/read-audit.js';
export {
  acceptInvitation,
  type InvitationRow,
  listInvitations,
  readInvitation,
  revokeInvitation,
  writeInvitation,
} from './accounts/invitations.js';
export { findKnownBrowser, rememberBrowser } from './accounts/known-browsers.js';
export { type KeptMail, keepMail, listKeptMails, readKeptFile } from './accounts/kept-mails.js';
export type { KnownKey, KnownKeysRule } from './accounts/known-keys.js';
export { type ApiKeyRow, type KeyMaker, listApiKeys } from './accounts/list-api-keys.js';
export {
  addMember,
  changeMemberRole,
  ensureMemberships,
  listMembers,
  listMemberships,
  openOwnAccount,
  type MemberChange,
  type MemberRow,
  type Membership,
  removeMember,
  renameAccount,
} from './accounts/members.js';
export {
  chooseLanguage,
  chooseSessionAccount,
  confirmSession,
  ensurePerson,
  findPerson,
  type Person,
  replacePasswordHash,
  setOperator,
} from './accounts/people.js';
export { confirmEmailChange, type EmailChange, renamePerson, requestEmailChange } from './accounts/profile.js';
export { closeDoors, endOtherConfirmations, endSession, hasTwoFactor, takeCodeStep } from './accounts/second-factor.js';
export { createDevice, createRequestedDevice } from './devices/create-device.js';
export { findQuoted } from './conversations/find-quoted.js';
export type { InboundFacts } from './conversations/inbound-facts.js';
export { type ConversationView, listConversations, readConversation } from './conversations/read-conversations.js';
export {
  dropReadMarks,
  markRead,
  noteTold,
  readDevicesToTell,
  readUntold,
  type UntoldChat,
} from './conversations/read-marks.js';
export { type ConversationEntry, readConversationMessages } from './conversations/read-conversation-messages.js';
export { readLastMessages } from './conversations/read-last-messages.js';
export { shownNetworkId, shownReply, shownWriter, shownWritten } from './conversations/show-inbound.js';
export { createInboundWriter, type InboundItem, type InboundWriter } from './conversations/store-inbound.js';
export { type Backlog, type DeviceActivity, readDeviceActivity } from './devices/device-activity.js';
export { type Contact, createContactWriter } from './devices/device-contacts.js';
export {
  type DeviceDetails,
  listDeviceDetails,
  type NewContacts,
  readDeviceDetails,
} from './devices/device-details.js';
export { deleteDevice, type DeviceDeletion, finishDeletedDevices } from './devices/delete-device.js';
export { capPace } from './devices/device-pace.js';
export { openDeviceProxy } from './devices/device-proxy.js';
export { changeDevice, type DeviceChanges, defaultPoliteness } from './devices/device-settings.js';
export { readDeviceCounts } from './devices/device-limits.js';
export {
  type DeviceView,
  listDevices,
  readDevice,
  requestLink,
  requestLinkCancel,
  requestLinkWithinLimit,
  requestUnlink,
} from './devices/devices.js';
export type { NetworkWarning } from './devices/health/number-health.js';
export {
  type EventPosition,
  isLost,
  type LoggedEvent,
  messagesOf,
  nameOfPosition,
  noteCluster,
  noteRestore,
  parsePart,
  parsePosition,
  readEndOfLog,
  readEvents,
} from './events/events.js';
export { type FeedEvent, type FeedFilter, type FeedPage, oldestInFeed, readFeed } from './events/feed.js';
export { type EventPlace, findEvent, readEventsAt, readRecentEvents } from './events/find-events.js';
export { idOfEvent, isKnown, type KnownEvent, showFeed, showTracedEvents } from './events/show-event.js';
export { readLapsedDevices, readShownDevices, type ShownDevice } from './events/live-changes.js';
export { readStandingWatchers, type StandingWatcher } from './events/live-watchers.js';
export { admitMasterKey, keepMasterKeyAdmitted, readMasterKeys } from './master-key/admit-master-key.js';
export { rewrapBoxes, type RewrapResult } from './master-key/rewrap-boxes.js';
export { readUnnamedTwoFactorBox, type SealedColumn, twoFactorColumns } from './master-key/sealed-columns.js';
export {
  type Acceptor,
  acceptBulk,
  acceptMessage,
  acceptTogether,
  type BulkAcceptor,
  createAcceptor,
  createBulkAcceptor,
} from './messages/accept-messages.js';
export { tellPlanEnds } from './money/tell-plan-ends.js';
export { cancelMessage, cancelMessages } from './messages/cancel-messages.js';
export {
  type ClaimedMessage,
  type Claimer,
  type ClaimOutcome,
  type ClaimRequest,
  claimMessage,
  createClaimer,
  type StandingMessage,
  tryName,
} from './messages/claim-message.js';
export { moveToNextHours } from './recipients/move-to-next-hours.js';
export { networkMessageIdOf } from './messages/network-message-id.js';
export {
  type AcceptedMessage,
  type AcceptOutcome,
  type AcceptRefusal,
  type NewMessage,
} from './messages/new-message.js';
export { listMessages } from './messages/reading/list-messages.js';
export { readMessageText } from './messages/reading/read-message-text.js';
export { type MessageTimes, readMessageTimes } from './messages/reading/read-message-times.js';
export {
  type MessageFilter,
  type MessageHistory,
  type MessageView,
  readForRetry,
  readMessage,
  readMessageViews,
} from './messages/read-messages.js';
export { readSentMessage, readSentRecipient, type SentMessage } from './messages/read-sent.js';
export {
  createOutcomeWriter,
  giveUp,
  type OutcomeWriter,
  type ReportedMessage,
  reportOutcome,
  reportReceipt,
  type Try,
  type TryOutcome,
} from './messages/report-outcome.js';
export { rememberRequest } from './messages/request-keys.js';
export {
  expireMessages,
  failMessagesOfUnlinked,
  failUnlinkedMessages,
  longestTryMs,
  readDueLanes,
  readSendingDevices,
  wakeMessages,
} from './messages/sweep-messages.js';
export { type Move, type Moved, moveMessages } from './messages/write-status.js';
export { type PayableRenewal, readRenewalByPage } from './money/payable-renewal.js';
export { listAccountLedger, listRenewals, type RenewalRow, readRenewal } from './money/money-lists.js';
export {
  openRenewal,
  type Payment,
  type Renewal,
  type SettleOutcome,
  settleRenewal,
} from './money/renewals.js';
export { bookReturn, type ReturnedMoney, type ReturnOutcome } from './money/returned-money.js';
export { type Database, type DatabaseOptions, openDatabase, pingDatabase, type Pooler } from './postgres/connect.js';
export { isUnavailable } from './postgres/connections/unavailable.js';
export { findConnectionFaults } from './postgres/pooler.js';
export { findDurabilityFaults } from './postgres/durability-settings.js';
export { canChangeAudit } from './postgres/audit-rights.js';
export { type GroupCommit, Overloaded } from './postgres/group-commit.js';
export { keepPlansFresh } from './postgres/keep-plans-fresh.js';
export { migrate } from './postgres/migrate.js';
export { createSealer, RecordUnreadable, type Sealer } from './postgres/sealer.js';
export { type AccountOverviewRow, listAccountOverviews } from './reports/account-overviews.js';
export { collectNotices, hasNoticeEvents, noteLapsedDevices } from './notices/collect-notices.js';
export { chooseNotices, listNotices, markNotices, type NoticeRow, readNoticeChoices } from './notices/own-notices.js';
export {
  type ClaimedNotices,
  claimNotices,
  endNotices,
  hasDueNotices,
  type NoticeItem,
} from './notices/send-notices.js';
export { type PoolUse, readPoolUse } from './postgres/pool-use.js';
export { type QueuePart, readGatewayState, type GatewayState } from './reports/gateway-state.js';
export { readTroubledWebhooks, type TroubledWebhook } from './reports/troubled-webhooks.js';
export { type LaneRow, readBusiestLanes } from './reports/busiest-lanes.js';
export {
  findDeviceAccount,
  findKeyAccount,
  listAccounts,
  listLedger,
  listPlans,
  type PlanRow,
} from './reports/operator-lists.js';
export { type AccountNow, readAccountNow } from './reports/overview.js';
export { type Report, readReport } from './reports/read-report.js';
export { readWorkers, type WorkerRow } from './reports/workers.js';
export { ageOutContacts, ageOutSmallTables, ageOutUnlinked } from './retention/age-out.js';
export {
  type AccountLeft,
  beginAccountErasure,
  continueAccountErasure,
  continueErasures,
  countAccount,
  readErasureState,
} from './retention/erase-account.js';
export { eraseCodes, eraseContents, eraseOldBodies } from './retention/erase-contents.js';
export { countSending } from './retention/erase-messages.js';
export { exportAccount, exportPerson } from './reports/export-rows.js';
export {
  countNumber,
  eraseNumber,
  findLinkedBy,
  type NumberCount,
  type NumberInAccounts,
} from './retention/erase-number.js';
export { countPerson, erasePerson, type Orphan } from './retention/erase-person.js';
export { forgetInbound } from './retention/forget-inbound.js';
export { forgetMessages } from './retention/forget-messages.js';
export { forgetRequestKeys } from './retention/forget-request-keys.js';
export { keepMonthPartitions } from './retention/month-partitions.js';
export { keepDayPartitions } from './requests/day-partitions.js';
export { listRequests, type RequestFilter, type RequestRow } from './requests/list-requests.js';
export { type StoredRequest, storeRequests } from './requests/store-requests.js';
export { findOwnSent, isNumberOfAnother, listWrittenTo } from './sandbox/simulated-phones.js';
export { findOutsideSandbox, readSandboxDevices } from './sandbox/test-keys.js';
export { type Replacement, requestReconnect, writeReplaced } from './sessions/contested-devices.js';
export { eraseCredentialKinds, LeaseLost, readCredentials, writeCredentials } from './sessions/credentials.js';
export {
  type AccountLimits,
  type DeviceIntent,
  readIntents,
  type StateNote,
  writeAccountLimits,
  writeDeviceState,
  writeLinkEnd,
  writePairingCode,
  writeUnlinked,
} from './sessions/device-session.js';
export { type DeviceChoice, requestForgetSessions, writeSessionsForgotten } from './sessions/forget-sessions.js';
export type { LeaseToken } from './sessions/lease-token.js';
export {
  countWaitingDevices,
  forgetWorker,
  type Lease,
  leaseTtlMs,
  readFairShare,
  readGivingWay,
  readLeaseOwner,
  releaseLeases,
  renewLeases,
  takeLeases,
} from './sessions/leases.js';
export {
  claimVersionLookup,
  noteWhatsappVersion,
  readWhatsappVersions,
  type SeenVersion,
  storeLearnedVersion,
  type VersionSource,
} from './sessions/whatsapp-versions.js';
export { writeLinked } from './sessions/write-linked.js';
