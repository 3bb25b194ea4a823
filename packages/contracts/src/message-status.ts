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

export const messageReasons = {
  recipient_not_on_network: 'The number has no account on the messaging network.',
  recipient_unavailable: 'The recipient cannot be reached at the moment.',
  rejected_by_network: 'The network refused the message.',
  rate_limited_by_network: 'The network asked to slow down; the message is tried again.',
  new_contacts_restricted:
    'This account may write to no further new contacts at the moment: the network forbids it, or its allowance is used up.',
  recipient_token_required:
    'The network takes a message to this person only after they wrote to this account. Ask them to write first; the message is tried again by itself.',
  recipient_address_refused:
    'The network refused both addresses of this person. Ask them to write to this account once, then send the message again.',
  temporarily_unavailable: 'The network refused for now; the message is tried again.',
  content_unreadable: 'What the message carries can no longer be read, so it was not sent.',
  device_unlinked: 'The device was unlinked before the message went out.',
  no_answer: 'The network never said whether it took the message.',
} as const;

export type MessageReason = keyof typeof messageReasons;

/** Why a message that was accepted does not go out now. */
export const waitingReasons = {
  scheduled: 'Its `send_at` lies ahead.',
  retry: 'It was refused for now and is tried again; `reason` says why.',
  new_contact_allowance: 'The recipient is a new contact, and the device has used up its allowance of new contacts.',
  new_contact_pause: 'The recipient is a new contact, and the device pauses between two of them.',
  network_restriction: 'The recipient is a new contact, and the network forbids the device to write to any.',
  network_warning:
    'The recipient is a new contact, and after a second warning of the network the device writes to none.',
} as const;

export type WaitingReason = keyof typeof waitingReasons;

export const messagePriorities = ['otp', 'normal', 'bulk'] as const;
export type MessagePriority = (typeof messagePriorities)[number];
/** As they are stored and claimed: the smaller goes first. */
export const priorityRanks = { otp: 0, normal: 1, bulk: 2 } as const satisfies Record<MessagePriority, number>;

export const deviceStates = ['disconnected', 'pairing', 'connecting', 'connected', 'banned'] as const;
export type DeviceState = (typeof deviceStates)[number];

export const renewalStates = ['pending', 'paid', 'expired', 'cancelled'] as const;
export type RenewalState = (typeof renewalStates)[number];
