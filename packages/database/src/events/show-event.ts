/** Shows events of the log to programs. The words come from the log, the rest from fields that never change. */
import {
  type BroadcastState,
  type DeviceState,
  type Event,
  type EventType,
  type InboundId,
  isAccountEventType,
  isBroadcastEventType,
  isConversationEventType,
  isDeviceEventType,
  isEventType,
  isMessageEventType,
  isWebhookEventType,
  type MessageId,
  type PauseReason,
  type RenewalId,
  statusOfEvent,
} from '@kurir/contracts';
import type { AccountKeys } from '../accounts/account-keys.js';
import { type InboundFacts, readInboundFacts } from '../conversations/inbound-facts.js';
import type { Database } from '../postgres/connect.js';
import type { EventPosition } from './events.js';
import { type FeedEvent, type MessageFacts, readMessageFacts, readRenewalFacts, type RenewalFacts } from './feed.js';
import { inboundIdOf, showConversationEvent } from './show-conversation-event.js';

export type KnownEvent = FeedEvent & { readonly kind: EventType };

type Facts = {
  readonly messages: ReadonlyMap<MessageId, MessageFacts>;
  readonly renewals: ReadonlyMap<RenewalId, RenewalFacts>;
  readonly inbound: ReadonlyMap<InboundId, InboundFacts>;
};

/** The log may hold kinds of a later version. The feed leaves them out. */
export const isKnown = (event: FeedEvent): event is KnownEvent => isEventType(event.kind);

/** The same wherever the event is shown. The generation tells events before a restored backup from those after it. */
export const idOfEvent = ({
  subjectId,
  sequence,
  position,
}: Pick<FeedEvent, 'subjectId' | 'sequence'> & { readonly position: Pick<EventPosition, 'generation'> }): string =>
  `evt_${subjectId}_${sequence}_${position.generation.toString(36)}`;

// The kind of an event tells the kind of its subject.
const messageIdOf = ({ subjectId }: FeedEvent) => subjectId as MessageId;
const renewalIdOf = ({ subjectId }: FeedEvent) => subjectId as RenewalId;

const hasNetworkId: ReadonlySet<string> = new Set(['sent', 'delivered', 'read']);

function messageData(event: KnownEvent, status: ReturnType<typeof statusOfEvent>, { messages }: Facts) {
  const message = messages.get(messageIdOf(event));
  return {
    job_id: event.subjectId,
    status,
    reason: event.reason,
    until: event.until?.toISOString() ?? null,
    client_ref: message?.clientRef ?? null,
    phone_destination: message?.recipient ?? null,
    priority: message?.priority ?? null,
    network_message_id: hasNetworkId.has(status) ? (message?.networkMessageId ?? null) : null,
  };
}

/** The log has only states of devices in the events of devices. */
const deviceData = ({ state, reason, until }: KnownEvent) => ({
  state: state as DeviceState | null,
  reason,
  until: until?.toISOString() ?? null,
});

function accountData({ kind, state, until }: KnownEvent) {
  const number = state === null ? null : Number(state);
  const isPlan = kind === 'plan.expiring';
  return {
    used_percent: isPlan ? null : number,
    days_left: isPlan ? number : null,
    ends_at: until?.toISOString() ?? null,
  };
}

function renewalData(event: KnownEvent, { renewals }: Facts) {
  const renewal = renewals.get(renewalIdOf(event));
  return { renewal_id: event.subjectId, plan: renewal?.plan ?? null, price: renewal?.price ?? null };
}

function show(event: KnownEvent, facts: Facts): Event {
  const { kind, subjectId: id } = event;
  const ofEvery = {
    id: idOfEvent(event),
    created_at: event.at.toISOString(),
    device_id: event.deviceId,
    sequence: event.sequence,
  };
  if (isMessageEventType(kind)) {
    const data = messageData(event, statusOfEvent(kind), facts);
    return { ...ofEvery, type: kind, subject: { type: 'message', id }, data };
  }
  if (isConversationEventType(kind))
    return showConversationEvent({ ...event, kind }, ofEvery, facts.inbound.get(inboundIdOf(event)));
  if (isDeviceEventType(kind))
    return { ...ofEvery, type: kind, subject: { type: 'device', id }, data: deviceData(event) };
  if (isAccountEventType(kind))
    return { ...ofEvery, type: kind, subject: { type: 'account', id }, data: accountData(event) };
  if (isBroadcastEventType(kind)) {
    // `move-broadcast` wrote the words.
    const data = {
      broadcast_id: id,
      state: event.state as BroadcastState,
      reason: event.reason as PauseReason | null,
    };
    return { ...ofEvery, type: kind, subject: { type: 'broadcast', id }, data };
  }
  if (isWebhookEventType(kind)) {
    const data = { webhook_id: id, reason: event.state };
    return { ...ofEvery, type: kind, subject: { type: 'webhook', id }, data };
  }
  return { ...ofEvery, type: kind, subject: { type: 'renewal', id }, data: renewalData(event, facts) };
}

/** An event as programs see it, and the span that accepted its message, if it is traced. */
export type TracedEvent = { readonly shown: Event; readonly traceparent: string | null };

/** Shows events in their order. */
export async function showFeed(
  database: Database,
  accountKeys: AccountKeys,
  events: readonly KnownEvent[],
): Promise<Event[]> {
  return (await showTracedEvents(database, accountKeys, events)).map(({ shown }) => shown);
}

/** The same with the spans. */
export async function showTracedEvents(
  database: Database,
  accountKeys: AccountKeys,
  events: readonly KnownEvent[],
): Promise<TracedEvent[]> {
  const messages = events.filter(({ kind }) => isMessageEventType(kind)).map(messageIdOf);
  const renewals = events.filter(({ kind }) => kind === 'renewal.paid').map(renewalIdOf);
  const inbound = events.filter(({ kind }) => isConversationEventType(kind)).map(inboundIdOf);
  const facts = {
    inbound: await readInboundFacts(database, accountKeys, [...new Set(inbound)]),
    messages: await readMessageFacts(database, [...new Set(messages)]),
    renewals: await readRenewalFacts(database, [...new Set(renewals)]),
  };
  return events.map((event) => ({
    shown: show(event, facts),
    traceparent: facts.messages.get(messageIdOf(event))?.traceparent ?? null,
  }));
}
