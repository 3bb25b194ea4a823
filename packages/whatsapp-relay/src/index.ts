export type { NewChatCap, PasskeyDemand, ReachoutTimelock } from './devices/account.js';
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
} from './switchboard/faults.js';
export type {
  Journal,
  JournalCounters,
  JournalEntry,
  JournalEvent,
  JournalScope,
  MessageOutcome,
} from './switchboard/journal.js';
export type { Crowd } from './people/crowd.js';
export type { HistoryOptions } from './phone/history.js';
export type { LinkOptions } from './linking/candidate.js';
export type { LinkedDevice, Phone } from './phone/phone.js';
export type { Letter } from './wire/letter-protobuf.js';
export type { LetterOptions } from './writing/letters.js';
export type { QueryKind } from './wire/query-kind.js';
export { createRecipient, type InboxMessage, type Recipient } from './recipients/recipient.js';
export type { RememberedRelay } from './server/remembered.js';
export { createRelay, type Relay, type RelayOptions } from './server/relay.js';
export type { Rule } from './rules/refusal.js';
export { type StreamEnd, streamEnds } from './wire/stream-end.js';
