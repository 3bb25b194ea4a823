/** The reasons that a customer reads, each with its sentence. */

export const messageReasons = {
  recipient_not_on_network: 'The number has no account on the messaging network.',
  recipient_unavailable: 'The recipient cannot be reached at the moment.',
  rejected_by_network: 'The network refused the message.',
  rate_limited_by_network: 'The network asked Kurir to slow down. Kurir tries the message again.',
  new_contacts_restricted:
    'This account may not write to further new contacts at the moment: the network forbids it, or the allowance is used up.',
  recipient_token_required:
    'The network accepts a message to this person only after they wrote to this account. Ask them to write first. Kurir then tries the message again by itself.',
  recipient_address_refused:
    'The network refused both addresses of this person. Ask them to write to this account once, then send the message again.',
  temporarily_unavailable: 'The network refused the message for now. Kurir tries it again.',
  content_unreadable: 'Kurir could not read the stored content of the message, so it did not send it.',
  recipient_suppressed: 'The recipient opted out, or the account suppressed the number, while the message waited.',
  device_unlinked: 'The device was unlinked before the message went out.',
  no_answer: 'The network never said whether it took the message.',
} as const;

export type MessageReason = keyof typeof messageReasons;

/** The reasons why an accepted message waits. */
export const waitingReasons = {
  scheduled: 'Its `send_at` is in the future.',
  paused: 'Its broadcast is paused.',
  quiet_hours: 'It is marketing, and it is night where the recipient may live.',
  retry: 'It was refused for now, and Kurir tries it again; `reason` says why.',
  new_contact_allowance: 'The recipient is a new contact, and the device has used up its allowance of new contacts.',
  new_contact_pause: 'The recipient is a new contact, and the device pauses between two new contacts.',
  network_restriction: 'The recipient is a new contact, and the network forbids the device to write to new contacts.',
  network_warning:
    'The recipient is a new contact. After a second warning of the network, the device does not write to new contacts.',
} as const;

export type WaitingReason = keyof typeof waitingReasons;
