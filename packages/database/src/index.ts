export { type AccountKeys, createAccountKeys } from './account-keys.js';
export { acceptTogether, createAcceptor, createBulkAcceptor } from './accept-messages.js';
export {
  type AccountInfo,
  changePlan,
  type ChosenPlan,
  choosePlan,
  createAccount,
  createPlan,
  grantPeriod,
  type NewPlan,
  type PlanChange,
  readAccountInfo,
  readCheapestPlan,
  readChosenPlan,
} from './accounts.js';
export {
  changeApiKey,
  createApiKey,
  type KeyChange,
  type LiveApiKey,
  type NewApiKey,
  noteSecretsUsed,
  readApiKey,
  readEndedSecrets,
  revokeApiKey,
  rotateApiKeySecret,
} from './api-keys.js';
export { type AuditPage, type Audit, type AuditRow, noteSignIn, readAudit } from './audit.js';
export {
  type ClaimedMessage,
  type ClaimOutcome,
  type ClaimRequest,
  createClaimer,
  type Holder,
  type StandingMessage,
  tryName,
} from './claim-message.js';
export { type Database, type DatabaseOptions, isUnavailable, openDatabase } from './connect.js';
export { type Replacement, requestReconnect, writeReplaced } from './contested-devices.js';
export {
  type CredentialRow,
  eraseCredentialKinds,
  LeaseLost,
  readCredentials,
  writeCredentials,
} from './credentials.js';
export {
  createDevice,
  createRequestedDevice,
  type DeviceCreation,
  type DeviceRequest,
  type NewDevice,
} from './create-device.js';
export { type Backlog, type DeviceActivity, readDeviceActivity } from './device-activity.js';
export { type Contact, createContactWriter } from './device-contacts.js';
export { type DeviceDetails, listDeviceDetails, type NewContacts, readDeviceDetails } from './device-details.js';
export { capPace } from './device-pace.js';
export { openDeviceProxy } from './device-proxy.js';
export {
  type AccountLimits,
  type DeviceIntent,
  readIntents,
  type StateNote,
  writeAccountLimits,
  writeDeviceState,
  writeLinked,
  writeLinkEnd,
  writePairingCode,
  writeUnlinked,
} from './device-session.js';
export { changeDevice, defaultPoliteness, type DeviceChanges } from './device-settings.js';
export {
  type DeviceView,
  listDevices,
  readDevice,
  requestLink,
  requestLinkCancel,
  requestUnlink,
} from './devices.js';
export {
  type AccountOverviewRow,
  type LaneRow,
  listAccountOverviews,
  readBusiestLanes,
  readFleet,
  type WorkerRow,
} from './fleet.js';
export { findDurabilityFaults, pingDatabase } from './durability.js';
export {
  type AskedDevice,
  type DeviceChoice,
  requestForgetSessions,
  writeSessionsForgotten,
} from './forget-sessions.js';
export {
  type EventPage,
  type EventPosition,
  isLost,
  type LoggedEvent,
  messagesOf,
  nameOfPosition,
  noteCluster,
  noteRestore,
  parsePosition,
  readEndOfLog,
  readEvents,
} from './events.js';
export { eraseCodes, eraseContents, eraseOldBodies } from './erase-contents.js';
export { forgetMessages, forgetRequestKeys } from './forget.js';
export { keepPlansFresh } from './keep-plans-fresh.js';
export { type AccountNow, type HourRow, readAccountNow, readHours } from './overview.js';
export { keepMonthPartitions } from './month-partitions.js';
export { type GroupCommit, Overloaded } from './group-commit.js';
export {
  acceptInvitation,
  type InvitationRow,
  listInvitations,
  readInvitation,
  revokeInvitation,
  writeInvitation,
} from './invitations.js';
export { keepMail, type KeptMail, listKeptMails } from './kept-mails.js';
export {
  forgetWorker,
  type HeldDevice,
  type FairShare,
  leaseTtlMs,
  readFairShare,
  readLeaseOwner,
  releaseLeases,
  renewLeases,
  takeLeases,
} from './leases.js';
export {
  addMember,
  changeMemberRole,
  ensureMemberships,
  listMembers,
  listMemberships,
  type MemberChange,
  type MemberRow,
  type Membership,
  removeMember,
  renameAccount,
} from './members.js';
export { readLapsedDevices, readShownDevices, type ShownDevice } from './live-changes.js';
export { readStandingWatchers, type StandingWatcher } from './live-watchers.js';
export { migrate } from './migrate.js';
export {
  type AccountLedgerRow,
  type InvoiceRow,
  listAccountLedger,
  listInvoices,
  listRenewals,
  readRenewal,
  type RenewalRow,
} from './money-lists.js';
export type { NetworkWarning } from './number-health.js';
export { networkMessageIdOf } from './network-message-id.js';
export {
  type AcceptedMessage,
  type AcceptOutcome,
  type AcceptRefusal,
  type NewMessage,
} from './new-message.js';
export {
  type AccountRow,
  type ApiKeyRow,
  findDeviceAccount,
  findKeyAccount,
  type LedgerFilter,
  type LedgerRow,
  listAccounts,
  listApiKeys,
  listLedger,
  listPlans,
  type PlanRow,
} from './operator-lists.js';
export {
  cancelMessage,
  cancelMessages,
  listMessages,
  type MessageFilter,
  type MessageHistory,
  type MessageView,
  readForRetry,
  readMessage,
  readMessageViews,
  type TimelineEntry,
} from './read-messages.js';
export {
  openRenewal,
  type Payment,
  type Renewal,
  readRenewalByPage,
  type SettleOutcome,
  settleRenewal,
} from './renewals.js';
export { bookReturn, type ReturnedMoney, type ReturnOutcome } from './returned-money.js';
export {
  createOutcomeWriter,
  giveUp,
  type NetworkReport,
  type OutcomeWriter,
  type Try,
  type TryOutcome,
} from './report-outcome.js';
export { chooseSessionAccount, confirmSession, ensurePerson, findPerson, type Person, setOperator } from './people.js';
export { readSentMessage, readSentRecipient, type SentMessage } from './read-sent.js';
export { rememberRequest } from './request-keys.js';
export { createSealer, RecordUnreadable, type Sealer } from './sealer.js';
export {
  type DueLane,
  expireMessages,
  failMessagesOfUnlinked,
  failUnlinkedMessages,
  longestTryMs,
  readDueLanes,
  readSendingDevices,
  wakeMessages,
} from './sweep-messages.js';
export { type Move, type Moved, moveMessages } from './write-status.js';
export { findOwnSent, isNumberOfAnother, listWrittenTo, type OwnSent, type WrittenTo } from './simulated-phones.js';
export {
  claimVersionLookup,
  type KnownVersions,
  type LookupWish,
  noteWhatsappVersion,
  readWhatsappVersions,
  type SeenVersion,
  storeLearnedVersion,
  type VersionSource,
} from './whatsapp-versions.js';
