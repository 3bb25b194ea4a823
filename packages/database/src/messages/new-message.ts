/** A message before it is stored, and the outcome of accepting it. */
import type {
  AccountId,
  ApiKeyId,
  BroadcastId,
  DeviceId,
  ErrorCode,
  MessageId,
  SendInput,
  UserId,
} from '@kurir/contracts';
import type { Audit } from '../accounts/audit.js';

export type NewMessage = {
  readonly id: MessageId;
  readonly accountId: AccountId;
  readonly deviceId: DeviceId;
  /** The sender: a key, from the dashboard a person, or Kurir itself. */
  readonly keyId: ApiKeyId | UserId | 'kurir';
  readonly requestId: string;
  /**
   * `repeatKey` identifies a repeat of the request; `position` is the place in a bulk, and 0 for a single send.
   * Together they identify one message of a request.
   */
  readonly repeatKey: Buffer;
  readonly position: number;
  /** The broadcast that released it. */
  readonly broadcastId?: BroadcastId;
  readonly input: SendInput;
  /** The span that accepts it, as W3C Trace Context names it. Absent: it is not traced. */
  readonly traceparent?: string | undefined;
  /**
   * The audit row that is written when the message is stored. Absent for messages of keys: the message itself is their
   * record.
   */
  readonly audit?: Omit<Audit, 'accountId'> & { readonly subject: string };
};

export type AcceptedMessage = {
  readonly kind: 'accepted';
  readonly messageId: MessageId;
  readonly seq: bigint;
};

export type AcceptOutcome =
  | AcceptedMessage
  | { readonly kind: 'repeated'; readonly messageId: MessageId }
  /** `firstId` is the message that has the client_ref, if the code is `IDEMPOTENCY_KEY_REUSED`. */
  | { readonly kind: 'refused'; readonly code: AcceptRefusal; readonly firstId?: MessageId };

export type AcceptRefusal = Extract<
  ErrorCode,
  /** Its `send_at` is in the past. */
  | 'INVALID_REQUEST'
  | 'DEVICE_NOT_FOUND'
  /** A test key on a real network. */
  | 'KEY_NOT_ALLOWED'
  | 'DEVICE_NOT_CONNECTED'
  /** Its recipient gets no messages of this category. */
  | 'RECIPIENT_SUPPRESSED'
  | 'EXPIRES_IN_QUIET_HOURS'
  | 'PLAN_EXPIRED'
  | 'QUOTA_EXHAUSTED'
  | 'REPLAYED_REQUEST'
  | 'IDEMPOTENCY_KEY_REUSED'
>;

/** Stands in `messages.recipient` after the number was erased. It is no number, so nobody can write to it. */
export const erasedRecipient = 'erased';
