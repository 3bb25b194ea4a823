export type { NewChatCap, ReachoutTimelock } from './account.js';
export type {
  AcknowledgementError,
  ArmedFault,
  Faults,
  FaultScope,
  LoginFailure,
  MessageFault,
  PairingFault,
  QueryFault,
  TakeoverFault,
  UsyncFault,
} from './faults.js';
export type {
  Journal,
  JournalCounters,
  JournalEntry,
  JournalEvent,
  JournalScope,
  MessageOutcome,
} from './journal.js';
export type { Crowd } from './crowd.js';
export type { HistoryOptions } from './history.js';
export type { LinkOptions } from './candidate.js';
export type { PasskeyDemand } from './passkey.js';
export type { LinkedDevice, Phone } from './phone.js';
export type { QueryKind } from './query-kind.js';
export { createRecipient, type InboxMessage, type Recipient } from './recipient.js';
export type { RememberedRelay } from './remembered.js';
export { createRelay, type Relay, type RelayOptions } from './relay.js';
export type { Rule } from './rules/refusal.js';
export { type StreamEnd, streamEnds } from './stream-end.js';
