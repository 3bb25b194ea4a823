/** Whether a webhook gets an event. */
import { isEventType, isSentByDefault } from '@kurir/contracts';
import type { LoggedEvent } from '@kurir/database';
import type { ReadWebhook } from '@kurir/database/webhooks';
import type { SequencedEvent } from './queued-event.js';

/** Live pages and notices alone use the others. */
export const isSequenced = (event: LoggedEvent): event is SequencedEvent => event.sequence !== null;

type Filter = Pick<ReadWebhook, 'id' | 'types' | 'deviceIds'>;

/** `webhook.ping` goes to its own webhook only. Events before `keptSinceMs` go to nobody. */
export function matches({ id, types, deviceIds }: Filter, event: LoggedEvent, keptSinceMs: number): boolean {
  const { kind, deviceId } = event;
  if (!isSequenced(event) || !isEventType(kind)) return false;
  if (event.at.getTime() < keptSinceMs) return false;
  if (kind === 'webhook.ping') return event.subjectId === id;
  if (types.length === 0 ? !isSentByDefault(kind) : !types.includes(kind)) return false;
  return deviceIds.length === 0 || (deviceId !== null && deviceIds.includes(deviceId));
}
