/** Shows events of the log to programs. The words come from the log, the rest from fields of a message that never change. */
import {
  type DeviceState,
  type Event,
  type EventType,
  isEventType,
  isMessageEventType,
  type MessageId,
  statusOfEvent,
} from '@kurir/contracts';
import { type Database, type FeedEvent, type MessageFacts, readMessageFacts } from '@kurir/database';

export type KnownEvent = FeedEvent & { readonly kind: EventType };
type Facts = ReadonlyMap<MessageId, MessageFacts>;

/** The log may hold kinds of a later version. The feed leaves them out. */
export const isKnown = (event: FeedEvent): event is KnownEvent => isEventType(event.kind);

/** The same wherever the event is shown. The generation tells events before a restored backup from those after it. */
export const idOfEvent = ({ subjectId, sequence, position }: FeedEvent): string =>
  `evt_${subjectId}_${sequence}_${position.generation.toString(36)}`;

/** The subject of a message's event is the message's id. */
const messageIdOf = ({ subjectId }: FeedEvent) => subjectId as MessageId;

const hasNetworkId: ReadonlySet<string> = new Set(['sent', 'delivered', 'read']);

function show(event: KnownEvent, facts: Facts): Event {
  const { kind, subjectId, reason } = event;
  const until = event.until?.toISOString() ?? null;
  const ofEvery = {
    id: idOfEvent(event),
    created_at: event.at.toISOString(),
    device_id: event.deviceId,
    sequence: event.sequence,
  };
  if (!isMessageEventType(kind)) {
    // The log has only states of devices here.
    const state = event.state as DeviceState | null;
    return { ...ofEvery, type: kind, subject: { type: 'device', id: subjectId }, data: { state, reason, until } };
  }
  const status = statusOfEvent(kind);
  const message = facts.get(messageIdOf(event));
  const data = {
    job_id: subjectId,
    status,
    reason,
    until,
    client_ref: message?.clientRef ?? null,
    phone_destination: message?.recipient ?? null,
    priority: message?.priority ?? null,
    network_message_id: hasNetworkId.has(status) ? (message?.networkMessageId ?? null) : null,
  };
  return { ...ofEvery, type: kind, subject: { type: 'message', id: subjectId }, data };
}

/** Shows events in their order. */
export async function showFeed(database: Database, events: readonly KnownEvent[]): Promise<Event[]> {
  const messages = events.filter(({ kind }) => isMessageEventType(kind)).map(messageIdOf);
  const facts = await readMessageFacts(database, [...new Set(messages)]);
  return events.map((event) => show(event, facts));
}
