/** The states of a message, and the moves between them. */

export const messageStatuses = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'failed',
  'expired',
  'cancelled',
  'unknown',
] as const;

export type MessageStatus = (typeof messageStatuses)[number];

/** The status that the api shows. `scheduled` is a `queued` message whose `send_at` is in the future. */
export type ShownMessageStatus = MessageStatus | 'scheduled';

/**
 * For each state, the states that may follow it. Every move goes forward, but for `sending → queued`. A message goes back to
 * `queued` in three cases:
 * - The network refused it and said that a retry may succeed.
 * - The driver wrote nothing to the network.
 * - A one-time code goes before a message that waits for its next attempt.
 *
 * The network may still acknowledge an earlier attempt of such a message. So `queued` can move to states that only an
 * attempt can bring.
 */
export const messageMoves: Record<MessageStatus, readonly MessageStatus[]> = {
  queued: ['sending', 'failed', 'expired', 'cancelled', 'unknown', 'sent', 'delivered', 'read'],
  sending: ['sent', 'failed', 'unknown', 'queued', 'delivered', 'read'],
  sent: ['delivered', 'read'],
  delivered: ['read'],
  read: [],
  failed: [],
  expired: [],
  cancelled: [],
  unknown: ['sent', 'delivered', 'read'],
};

/** Final states that return the quota, because the message did not go out. `unknown` returns none: it may have gone out. */
export const refundedStatuses = ['failed', 'expired', 'cancelled'] as const satisfies readonly MessageStatus[];

/** States in which the gateway has nothing left to do. Only receipts of the network can still move the message. */
export const settledStatuses = [
  'sent',
  'delivered',
  'read',
  'failed',
  'expired',
  'cancelled',
  'unknown',
] as const satisfies readonly MessageStatus[];
