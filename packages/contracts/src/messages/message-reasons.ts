/** The reasons that a customer can read. */

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
