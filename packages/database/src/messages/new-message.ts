/** A message on its way in: what is known of it before it is stored, and what became of it. */
import type { AccountId, ApiKeyId, DeviceId, ErrorCode, MessageId, SendInput, UserId } from '@kurir/contracts';
import type { Audit } from '../accounts/audit.js';

export type NewMessage = {
  readonly id: MessageId;
  readonly accountId: AccountId;
  readonly deviceId: DeviceId;
  /** Who sent it: a key or, from the dashboard, a person. */
  readonly keyId: ApiKeyId | UserId;
  readonly requestId: string;
  /** What a repeat of the request is recognised by, and the place in a bulk (0 for a single send): together they name one message of it. */
  readonly repeatKey: Buffer;
  readonly position: number;
  readonly input: SendInput;
  /** A row of the audit log that is written once the message is stored. Left out for a key's: there the message is the record. */
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
  | { readonly kind: 'refused'; readonly code: AcceptRefusal };

export type AcceptRefusal = Extract<
  ErrorCode,
  /** Its `send_at` lies in the past. */
  | 'INVALID_REQUEST'
  | 'DEVICE_NOT_FOUND'
  | 'DEVICE_NOT_CONNECTED'
  | 'PLAN_EXPIRED'
  | 'QUOTA_EXHAUSTED'
  | 'REPLAYED_REQUEST'
  | 'IDEMPOTENCY_KEY_REUSED'
>;
