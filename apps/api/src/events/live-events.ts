/** Turns rows of the log of events into the events that a page understands. */
import { type DeviceId, isBroadcastId, isConversationId } from '@kurir/contracts';
import type { LiveEvent } from '@kurir/contracts/dashboard';
import {
  type Database,
  type EventPosition,
  type LoggedEvent,
  messagesOf,
  readMessageViews,
  readShownDevices,
  type ShownDevice,
} from '@kurir/database';
import { showJob } from '../messages/show-job.js';

/** An event for a page, and the position of the log up to which it is current. */
export type PlacedEvent = { readonly at: EventPosition; readonly event: LiveEvent };

/** Tells the page to read everything again. */
export const resync: LiveEvent = { event: 'resync', data: {} };

const accountChanged: LiveEvent = { event: 'account', data: {} };
const noticesChanged: LiveEvent = { event: 'notices', data: {} };

export const deviceChanged = ({ deviceId, state }: ShownDevice): LiveEvent => ({
  event: 'device',
  data: { device_id: deviceId, state },
});

const conversationChanged = (id: string): LiveEvent => ({ event: 'conversation', data: { conversation_id: id } });

const broadcastChanged = (id: string): LiveEvent => ({ event: 'broadcast', data: { broadcast_id: id } });

/** Shows each message and each device of one account's events once, in its present state. */
export async function showEvents(database: Database, events: readonly LoggedEvent[]): Promise<PlacedEvent[]> {
  const last = events.at(-1);
  if (last === undefined) return [];
  const positions = messagesOf(events);
  const deviceRows = events.filter(({ kind }) => kind.startsWith('device.'));
  const conversationIds = new Set(events.map(({ subjectId }) => subjectId).filter(isConversationId));
  const broadcastIds = new Set(events.map(({ subjectId }) => subjectId).filter(isBroadcastId));
  const deviceIds = new Set(deviceRows.map(({ subjectId }) => subjectId as DeviceId));
  const [messages, devices] = await Promise.all([
    readMessageViews(database, [...positions.keys()]),
    readShownDevices(database, [...deviceIds]),
  ]);
  return [
    ...[...positions].flatMap(([id, at]): PlacedEvent[] => {
      const message = messages.get(id);
      return message === undefined ? [] : [{ at, event: { event: 'message', data: showJob(message) } }];
    }),
    ...devices.map((device): PlacedEvent => ({ at: last.position, event: deviceChanged(device) })),
    ...[...conversationIds].map((id): PlacedEvent => ({ at: last.position, event: conversationChanged(id) })),
    ...[...broadcastIds].map((id): PlacedEvent => ({ at: last.position, event: broadcastChanged(id) })),
    ...(events.some(({ kind }) => kind === 'account.changed') ? [{ at: last.position, event: accountChanged }] : []),
    ...(events.some(({ kind }) => kind === 'notice.changed') ? [{ at: last.position, event: noticesChanged }] : []),
  ];
}
