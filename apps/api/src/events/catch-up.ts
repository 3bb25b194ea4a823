import type { AccountId } from '@kurir/contracts';
import { type Database, type EventPosition, isLost, nameOfPosition, parsePosition, readEvents } from '@kurir/database';
import type { EventStream } from './event-stream.js';
import { type PlacedEvent, resync, showEvents } from './live-events.js';

/** A browser that missed more events than this gets `resync` instead. */
const missedMaxEvents = 500;

/**
 * Sends a browser that comes back the events after `lastEventId`. Sends `resync` if they are too many, or if the log no
 * longer has that position. `end` is the end of the log.
 */
export async function catchUp(
  database: Database,
  stream: EventStream,
  missed: { readonly accountId: AccountId; readonly lastEventId: string; readonly end: EventPosition },
): Promise<void> {
  const { accountId, lastEventId, end } = missed;
  const send = ({ at, event }: PlacedEvent) => stream.send(nameOfPosition(at), event);
  const last = parsePosition(lastEventId);
  if (last === null || (await isLost(database, last))) return send({ at: end, event: resync });
  const { events, hasMore } = await readEvents(database, [accountId], last, missedMaxEvents);
  if (hasMore) return send({ at: end, event: resync });
  for (const placed of await showEvents(database, events)) send(placed);
}
