import type { AccountId, Event } from '@kurir/contracts';
import { type EventPlace, type EventPosition, isKnown, nameOfPosition, readEventsAt, showFeed } from '@kurir/database';
import type { Api } from '../operations/api.js';

/** The events at these places as the feed shows them. Returns null for one that is erased. */
export async function showEventsAt(
  { database, accountKeys }: Pick<Api, 'accountKeys' | 'database'>,
  accountId: AccountId,
  places: readonly EventPlace[],
): Promise<(position: EventPosition) => Event | null> {
  const found = (await readEventsAt(database, accountId, places)).filter(isKnown);
  const shown = await showFeed(database, accountKeys, found);
  const byPlace = new Map(found.map(({ position }, index) => [nameOfPosition(position), shown[index]]));
  return (position) => byPlace.get(nameOfPosition(position)) ?? null;
}
