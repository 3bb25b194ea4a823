/** An event as the feed shows it. It says what happened, and fields of its subject that never change. */
import { z } from 'zod';
import {
  type BroadcastState,
  broadcastStates,
  type PauseReason,
  pauseReasons,
} from '../broadcasts/broadcast-states.js';
import { conversationData } from '../conversations/conversation-events.js';
import { conversationId } from '../conversations/shown-content.js';
import { deviceStates } from '../devices/device-states.js';
import { deviceId, jobId } from '../fields/id-fields.js';
import { timestamp } from '../fields/timestamp.js';
import { messagePriorities } from '../messages/message-priorities.js';
import { messageStatuses } from '../messages/message-status.js';
import {
  accountEventTypes,
  broadcastEventTypes,
  type ConversationEventType,
  deviceEventTypes,
  type EventType,
  eventTypes,
  messageEventTypes,
  renewalEventTypes,
  webhookEventTypes,
} from './event-types.js';

const described = (names: readonly EventType[]): string =>
  names.map((name) => `\`${name}\`: ${eventTypes[name].summary}`).join(' ');

const ofEvery = {
  id: z.string().meta({
    description: 'The id of the event. It is the same wherever the event is shown.',
    example: 'evt_msg_01kajp4m3s5y8zt0v6qk2c9hbe_4_1',
  }),
  created_at: timestamp,
  device_id: deviceId.nullable(),
  sequence: z.int().meta({
    description: 'Counts the events of one subject from 1, without holes. A smaller number happened earlier.',
  }),
};

const reason = z.string().nullable().meta({ description: 'The reason, if there is one.' });
const until = timestamp
  .nullable()
  .meta({ description: 'When the wait or the restriction ends, if the event began one and its end is known.' });

export const messageEvent = z
  .object({
    ...ofEvery,
    type: z.enum(messageEventTypes).meta({ description: described(messageEventTypes) }),
    subject: z.object({ type: z.literal('message'), id: jobId }),
    data: z.object({
      job_id: jobId,
      status: z.enum(messageStatuses).meta({ description: 'The status that this event brought.' }),
      reason,
      until,
      client_ref: z.string().nullable(),
      phone_destination: z.string().nullable().meta({ description: 'Null: the number is erased.' }),
      priority: z.enum(messagePriorities).nullable().meta({ description: 'Null: the message is erased.' }),
      network_message_id: z.string().nullable().meta({ description: "The network's id, from `message.sent` on." }),
    }),
  })
  .meta({ id: 'MessageEvent' });

const conversationEvent = <T extends ConversationEventType>(type: T) =>
  z.object({
    ...ofEvery,
    type: z.literal(type).meta({ description: eventTypes[type].summary }),
    subject: z.object({ type: z.literal('conversation'), id: conversationId }),
    data: conversationData[type],
  });

export const conversationEvents = [
  conversationEvent('message.received').meta({ id: 'MessageReceivedEvent' }),
  conversationEvent('message.edited').meta({ id: 'MessageEditedEvent' }),
  conversationEvent('message.deleted').meta({ id: 'MessageDeletedEvent' }),
  conversationEvent('message.reaction').meta({ id: 'MessageReactionEvent' }),
  conversationEvent('message.undecryptable').meta({ id: 'MessageUndecryptableEvent' }),
  conversationEvent('message.sent_elsewhere').meta({ id: 'MessageSentElsewhereEvent' }),
  conversationEvent('contact.identified').meta({ id: 'ContactIdentifiedEvent' }),
  conversationEvent('contact.opted_out').meta({ id: 'ContactOptedOutEvent' }),
  conversationEvent('contact.opted_in').meta({ id: 'ContactOptedInEvent' }),
] as const;

export const deviceEvent = z
  .object({
    ...ofEvery,
    type: z.enum(deviceEventTypes).meta({ description: described(deviceEventTypes) }),
    subject: z.object({ type: z.literal('device'), id: deviceId }),
    data: z.object({
      state: z.enum(deviceStates).nullable().meta({ description: 'The new state, for `device.state_changed`.' }),
      reason,
      until,
    }),
  })
  .meta({ id: 'DeviceEvent' });

export const accountEvent = z
  .object({
    ...ofEvery,
    type: z.enum(accountEventTypes).meta({ description: described(accountEventTypes) }),
    subject: z.object({ type: z.literal('account'), id: z.string() }),
    data: z.object({
      used_percent: z.int().nullable().meta({ description: 'For `quota.low` and `quota.exhausted`.' }),
      days_left: z.int().nullable().meta({ description: 'For `plan.expiring`: 7 or 1.' }),
      ends_at: timestamp.nullable().meta({ description: 'When the period ends.' }),
    }),
  })
  .meta({ id: 'AccountEvent' });

export const renewalEvent = z
  .object({
    ...ofEvery,
    type: z.enum(renewalEventTypes).meta({ description: described(renewalEventTypes) }),
    subject: z.object({ type: z.literal('renewal'), id: z.string() }),
    data: z.object({ renewal_id: z.string(), plan: z.string().nullable(), price: z.int().nullable() }),
  })
  .meta({ id: 'RenewalEvent' });

// The records have exactly these keys; Object.keys only knows `string`.
const stateWords = Object.keys(broadcastStates) as [BroadcastState, ...BroadcastState[]];
const pauseWords = Object.keys(pauseReasons) as [PauseReason, ...PauseReason[]];

export const broadcastEvent = z
  .object({
    ...ofEvery,
    type: z.enum(broadcastEventTypes).meta({ description: described(broadcastEventTypes) }),
    subject: z.object({ type: z.literal('broadcast'), id: z.string() }),
    data: z.object({
      broadcast_id: z.string(),
      state: z.enum(stateWords).meta({ description: 'The new state.' }),
      reason: z.enum(pauseWords).nullable().meta({ description: 'For `paused`: the reason.' }),
    }),
  })
  .meta({ id: 'BroadcastEvent' });

export const webhookEvent = z
  .object({
    ...ofEvery,
    type: z.enum(webhookEventTypes).meta({ description: described(webhookEventTypes) }),
    subject: z.object({ type: z.literal('webhook'), id: z.string() }),
    data: z.object({
      webhook_id: z.string(),
      reason: z.string().nullable().meta({ description: 'For `webhook.disabled`: `failing` or `gone`.' }),
    }),
  })
  .meta({ id: 'WebhookEvent' });

export const event = z
  .discriminatedUnion('type', [
    messageEvent,
    ...conversationEvents,
    deviceEvent,
    accountEvent,
    renewalEvent,
    broadcastEvent,
    webhookEvent,
  ])
  .meta({ id: 'Event' });

export type Event = z.output<typeof event>;
export type MessageEvent = z.output<typeof messageEvent>;
export type DeviceEvent = z.output<typeof deviceEvent>;
export type ConversationEvent = z.output<(typeof conversationEvents)[number]>;
