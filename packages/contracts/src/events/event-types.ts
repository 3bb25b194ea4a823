/**
 * The types of events. Add a type to the list of its subject. `event.ts` declares what an event shows, and
 * `show-event.ts` of the database makes it.
 */
import type { MessageStatus } from '../messages/message-status.js';

const ofMessages = {
  'message.accepted': { status: 'queued', summary: 'Kurir stored the message.' },
  'message.sending': { status: 'sending', summary: 'The device began an attempt to send it.' },
  'message.sent': { status: 'sent', summary: 'The network took it.' },
  'message.delivered': { status: 'delivered', summary: 'It arrived on a phone of the recipient.' },
  'message.read': { status: 'read', summary: 'The recipient read it.' },
  'message.failed': { status: 'failed', summary: 'It did not go out, and Kurir does not try again.' },
  'message.expired': { status: 'expired', summary: 'Its time was over before it went out.' },
  'message.cancelled': { status: 'cancelled', summary: 'It was cancelled before it went out.' },
  'message.unknown': { status: 'unknown', summary: 'The network never said whether it took it.' },
  'message.waiting': { status: 'queued', summary: 'It went back to its lane after an attempt. Kurir tries again.' },
} as const satisfies Record<`message.${string}`, { status: MessageStatus; summary: string }>;

const ofConversations = {
  'message.received': { summary: 'A person wrote to the device.' },
  'message.edited': { summary: 'A person changed a message.' },
  'message.deleted': { summary: 'A person deleted a message for everyone.' },
  'message.reaction': { summary: 'A person reacted to a message, or took the reaction back.' },
  'message.undecryptable': {
    summary: 'A person wrote, and the device cannot read it. `message.received` follows if it can later.',
  },
  'message.sent_elsewhere': { summary: "The account's owner wrote with the phone or with another program." },
  'contact.identified': { summary: 'The phone number of a person became known.' },
  'contact.opted_out': { summary: 'A person wrote a word that opts out of marketing.' },
  'contact.opted_in': { summary: 'A person who had opted out wrote a word that opts in again.' },
} as const satisfies Record<string, { summary: string }>;

const ofDevices = {
  'device.state_changed': { summary: 'The device has another state or another reason for it.' },
  'device.limits_changed': { summary: 'The limits on new contacts of the device changed.' },
} as const satisfies Record<`device.${string}`, { summary: string }>;

const ofAccounts = {
  'quota.low': { summary: 'The account has used 80% of its quota.' },
  'quota.exhausted': { summary: 'The account has used its whole quota.' },
  'plan.expiring': { summary: 'The plan ends in 7 days, or in 1 day, and no later one is paid.' },
} as const satisfies Record<string, { summary: string }>;

const ofRenewals = {
  'renewal.paid': { summary: 'A renewal was paid, and its period is open.' },
} as const satisfies Record<`renewal.${string}`, { summary: string }>;

const ofWebhooks = {
  'webhook.disabled': { summary: 'The webhook gets no events any more, because its address only failed or is gone.' },
  'webhook.recovered': { summary: 'The address of the webhook takes events again.' },
  'webhook.ping': { summary: 'Somebody asked for a test. Only the webhook itself gets it.' },
} as const satisfies Record<`webhook.${string}`, { summary: string }>;

const ofBroadcasts = {
  'broadcast.state_changed': { summary: 'The broadcast has another state, or is paused for another reason.' },
} as const satisfies Record<`broadcast.${string}`, { summary: string }>;

export const eventTypes = {
  ...ofMessages,
  ...ofConversations,
  ...ofDevices,
  ...ofAccounts,
  ...ofRenewals,
  ...ofBroadcasts,
  ...ofWebhooks,
} as const;

export type MessageEventType = keyof typeof ofMessages;
/** Their subject is the conversation. */
export type ConversationEventType = keyof typeof ofConversations;
export type DeviceEventType = keyof typeof ofDevices;
export type AccountEventType = keyof typeof ofAccounts;
export type RenewalEventType = keyof typeof ofRenewals;
export type BroadcastEventType = keyof typeof ofBroadcasts;
export type WebhookEventType = keyof typeof ofWebhooks;
export type EventType = keyof typeof eventTypes;

// Each record has exactly these keys; Object.keys only knows `string`.
export const messageEventTypes = Object.keys(ofMessages) as [MessageEventType, ...MessageEventType[]];
export const conversationEventTypes = Object.keys(ofConversations) as [
  ConversationEventType,
  ...ConversationEventType[],
];
export const deviceEventTypes = Object.keys(ofDevices) as [DeviceEventType, ...DeviceEventType[]];
export const accountEventTypes = Object.keys(ofAccounts) as [AccountEventType, ...AccountEventType[]];
export const renewalEventTypes = Object.keys(ofRenewals) as [RenewalEventType, ...RenewalEventType[]];
export const broadcastEventTypes = Object.keys(ofBroadcasts) as [BroadcastEventType, ...BroadcastEventType[]];
export const webhookEventTypes = Object.keys(ofWebhooks) as [WebhookEventType, ...WebhookEventType[]];

export const eventTypeNames: readonly EventType[] = [
  ...messageEventTypes,
  ...conversationEventTypes,
  ...deviceEventTypes,
  ...accountEventTypes,
  ...renewalEventTypes,
  ...broadcastEventTypes,
  ...webhookEventTypes,
];

/** Only webhooks that name these types get them. Most programs have no use for them. */
const onlyByName: ReadonlySet<string> = new Set<EventType>([
  'message.accepted',
  'message.sending',
  'message.waiting',
  'message.sent_elsewhere',
]);

/** Whether a webhook that names no types gets events of this type. */
export const isSentByDefault = (type: EventType): boolean => !onlyByName.has(type);

/** The status that an event of a message brought. */
export const statusOfEvent = (type: MessageEventType): MessageStatus => ofMessages[type].status;

export const isMessageEventType = (text: string): text is MessageEventType => Object.hasOwn(ofMessages, text);
export const isConversationEventType = (text: string): text is ConversationEventType =>
  Object.hasOwn(ofConversations, text);
export const isDeviceEventType = (text: string): text is DeviceEventType => Object.hasOwn(ofDevices, text);
export const isAccountEventType = (text: string): text is AccountEventType => Object.hasOwn(ofAccounts, text);
export const isBroadcastEventType = (text: string): text is BroadcastEventType => Object.hasOwn(ofBroadcasts, text);
export const isWebhookEventType = (text: string): text is WebhookEventType => Object.hasOwn(ofWebhooks, text);
export const isEventType = (text: string): text is EventType => Object.hasOwn(eventTypes, text);
