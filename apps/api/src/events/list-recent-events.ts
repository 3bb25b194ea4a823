/** The newest events of the feed, for the page of events. A stream continues from `live_cursor`. */
import { ApiError, limits } from '@kurir/contracts';
import { isKnown, nameOfPosition, parsePosition, readEndOfLog, readRecentEvents, showFeed } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { nameOfCursor } from './cursor.js';
import { keptSince } from './kept-since.js';

export const listRecentEvents: Handler<'listRecentEvents'> = async ({ caller, query }, api) => {
  const { database, accountKeys, now } = api;
  const { types, deviceId, cursor } = query;
  const end = await readEndOfLog(database);
  const before = cursor === null ? end : parsePosition(cursor);
  if (before === null) throw new ApiError('INVALID_REQUEST', 'cursor must be a next_cursor of an earlier answer.');
  const filter = { types, deviceId, limit: limits.listDefaultMessages, since: keptSince(api) };
  const page = await readRecentEvents(database, caller.accountId, before, filter);
  return {
    events: await showFeed(database, accountKeys, page.events.filter(isKnown)),
    next_cursor: page.next === null ? null : nameOfPosition(page.next),
    live_cursor: nameOfCursor({ position: end, at: new Date(now()), readIn: end.generation }),
  };
};
