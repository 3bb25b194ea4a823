import type { AttackedSystem } from '../processes/attacked-system.js';
import type { EventRecord } from '../records/event-record.js';
import type { InboundRecord } from '../records/inbound-record.js';
import { settleInbound } from './settle-inbound.js';
import type { WatchedEvents } from './watched-events.js';

/** Waits until all that people wrote is stored, and until its events and all others have arrived. */
export async function settleEvents(
  system: AttackedSystem,
  watched: WatchedEvents,
  tell: (text: string) => void,
): Promise<{ readonly inbound: InboundRecord; readonly events: EventRecord }> {
  const inbound = await settleInbound(system, (waiting) => tell(`${waiting} messages of people wait`));
  const events = await watched.settle((waiting) => tell(`${waiting} events and webhooks wait`));
  return { inbound, events };
}
