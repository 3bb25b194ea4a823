/** The states of a message, which move may follow which, and the reasons that a customer can read. */

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

/** What the api shows; `scheduled` is a `queued` message whose `send_at` lies ahead. */
export type ShownMessageStatus = MessageStatus | 'scheduled';

/**
 * From each state, the states that may follow. Only forward, with one exception: `sending → queued`, when the network
 * refused and said that a retry may succeed, when nothing was written to it, or when a one-time code goes before a message
 * that is to be tried again. Such a message may still be acknowledged for an earlier try, hence the moves from `queued` to
 * what only a try can bring.
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

/** Ends that give the quota back: the customer's text did not go out. `unknown` does not: it may have. */
export const refundedStatuses = ['failed', 'expired', 'cancelled'] as const satisfies readonly MessageStatus[];

/** No further work of ours; only the network's receipts can still move it. */
export const settledStatuses = [
  'sent',
  'delivered',
  'read',
  'failed',
  'expired',
  'cancelled',
  'unknown',
] as const satisfies readonly MessageStatus[];
