/**
 * The feed: the events of an account for its programs, as pages or as a stream. Each turn reads from the reader's own
 * cursor, so nothing is missing between two pages, whatever died meanwhile.
 */
import { ApiError, type DataOf, type Event, limits } from '@kurir/contracts';
import { type EventPosition, isLost, oldestInFeed, readEndOfLog, readFeed } from '@kurir/database';
import type { Api } from '../operations/api.js';
import type { Caller } from '../operations/caller.js';
import type { Handler, OperationRequest } from '../operations/operation-request.js';
import { nameOfCursor, parseCursor } from './cursor.js';
import { openEventStream } from './event-stream.js';
import { mayStillRead } from './may-still-read.js';
import { isKnown, showFeed } from './show-event.js';

const dayMs = 24 * 60 * 60 * 1_000;
/** How often a reader that waits is asked whether it may still read. */
const checkEveryMs = 4_000;

type Query = OperationRequest<'listEvents'>['query'];

type Page = {
  readonly events: readonly Event[];
  /** The cursor after each event. */
  readonly cursors: readonly string[];
  readonly next: EventPosition;
  readonly hasMore: boolean;
};

const keptSince = (now: number) => new Date(now - limits.feedDays * dayMs);

async function oldestPosition({ database, now }: Api, { accountId }: Caller): Promise<EventPosition> {
  return (await oldestInFeed(database, accountId, keptSince(now()))) ?? readEndOfLog(database);
}

async function expired(api: Api, caller: Caller): Promise<ApiError> {
  // The reader has a day to use it. The log holds more than the feed shows.
  const at = new Date(keptSince(api.now()).getTime() + dayMs);
  const oldest = nameOfCursor({ position: await oldestPosition(api, caller), at });
  const sentence = `This cursor is older than the events that are kept. Continue with after=${oldest}, or begin now without after.`;
  return new ApiError('CURSOR_EXPIRED', sentence);
}

async function startOf(api: Api, caller: Caller, after: string | null): Promise<EventPosition> {
  if (after === null) return readEndOfLog(api.database);
  if (after === 'earliest') return oldestPosition(api, caller);
  const cursor = parseCursor(after);
  if (cursor === null)
    throw new ApiError('INVALID_REQUEST', 'after must be a next_cursor of an earlier answer, or `earliest`.');
  if (cursor.at < keptSince(api.now()) || (await isLost(api.database, cursor.position)))
    throw await expired(api, caller);
  return cursor.position;
}

async function readPage({ database }: Api, { accountId }: Caller, query: Query, after: EventPosition): Promise<Page> {
  const page = await readFeed(database, accountId, after, query);
  const known = page.events.filter(isKnown);
  const cursors = known.map(({ position, at }) => nameOfCursor({ position, at }));
  return { events: await showFeed(database, known), cursors, next: page.next, hasMore: page.hasMore };
}

/** Reads until there is an event, the time is over, or the reader has gone. */
async function pollPage(api: Api, request: OperationRequest<'listEvents'>): Promise<Page> {
  const { caller, query } = request;
  const gone = request.callerGone();
  const deadline = performance.now() + query.waitSeconds * 1_000;
  let after = await startOf(api, caller, query.after);
  for (;;) {
    const page = await readPage(api, caller, query, after);
    const leftMs = deadline - performance.now();
    await mayStillRead(api, caller, gone);
    if (page.events.length > 0 || leftMs <= 0 || gone.aborted) return page;
    after = page.next;
    if (!page.hasMore) await api.live.news(caller.accountId, Math.min(leftMs, checkEveryMs), gone);
  }
}

async function streamFeed(
  api: Api,
  request: OperationRequest<'listEvents'>,
  streamed: Parameters<Handler<'listEvents'>>[2],
) {
  const { caller, query } = request;
  const gone = request.callerGone();
  let after = await startOf(api, caller, request.stream?.lastEventId ?? query.after);
  const stream = openEventStream(streamed);
  const closed = AbortSignal.any([gone, api.live.closing]);
  while (!closed.aborted) {
    const page = await readPage(api, caller, query, after);
    for (const [index, event] of page.events.entries())
      stream.send(page.cursors[index] ?? '', { event: event.type, data: event });
    after = page.next;
    await stream.taken();
    if (!page.hasMore) await api.live.news(caller.accountId, checkEveryMs, closed);
    if (
      !(await mayStillRead(api, caller, gone).then(
        () => true,
        () => false,
      ))
    )
      break;
  }
  stream.end();
  await stream.closed;
}

async function listPage(api: Api, request: OperationRequest<'listEvents'>): Promise<DataOf<'listEvents'>> {
  const page = await pollPage(api, request);
  const at = page.hasMore ? (page.events.at(-1)?.created_at ?? null) : null;
  const seenUntil = at === null ? new Date(api.now()) : new Date(at);
  return {
    events: [...page.events],
    next_cursor: nameOfCursor({ position: page.next, at: seenUntil }),
    has_more: page.hasMore,
  };
}

export const listEvents: Handler<'listEvents'> = async (request, api, streamed) => {
  const { caller, query, stream } = request;
  const isBrief = stream === null && query.waitSeconds === 0;
  const leave = isBrief ? null : api.live.enter(caller.accountId);
  try {
    if (stream === null) return await listPage(api, request);
    await streamFeed(api, request, streamed);
    return undefined;
  } finally {
    leave?.();
  }
};
