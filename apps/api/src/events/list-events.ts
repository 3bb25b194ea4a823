/**
 * The feed: the events of an account for its programs, as pages or as a stream. Each turn reads from the reader's own
 * cursor, so nothing is missing between two pages, whatever died meanwhile.
 */
import { ApiError, type DataOf, type Event } from '@kurir/contracts';
import { type EventPosition, isKnown, isLost, oldestInFeed, readEndOfLog, readFeed, showFeed } from '@kurir/database';
import type { Api } from '../operations/api.js';
import type { Caller } from '../operations/caller.js';
import type { Handler, OperationRequest } from '../operations/operation-request.js';
import { visibleDevices } from '../operations/test-keys.js';
import { nameOfCursor, parseCursor } from './cursor.js';
import { openEventStream } from './event-stream.js';
import { keptSince } from './kept-since.js';
import { mayStillRead } from './may-still-read.js';

const dayMs = 24 * 60 * 60 * 1_000;
/** How often a reader that waits is asked whether it may still read. */
const checkEveryMs = 4_000;

type Query = OperationRequest<'listEvents'>['query'];

type Page = {
  readonly events: readonly Event[];
  /** The cursor after each event. */
  readonly cursors: readonly string[];
  readonly next: EventPosition;
  readonly readIn: bigint;
  readonly hasMore: boolean;
  readonly readUntil: Date | null;
};

async function oldestPosition(api: Api, { accountId }: Caller): Promise<EventPosition> {
  return (await oldestInFeed(api.database, accountId, keptSince(api))) ?? readEndOfLog(api.database);
}

async function expired(api: Api, caller: Caller): Promise<ApiError> {
  // The reader has a day to use it. The log holds more than the feed shows.
  const at = new Date(keptSince(api).getTime() + dayMs);
  const { generation: readIn } = await readEndOfLog(api.database);
  const oldest = nameOfCursor({ position: await oldestPosition(api, caller), at, readIn });
  const sentence = `This cursor is older than the events that are kept. Continue with after=${oldest}, or begin now without after.`;
  return new ApiError('CURSOR_EXPIRED', sentence);
}

async function startOf(api: Api, caller: Caller, after: string | null): Promise<EventPosition> {
  if (after === null) return readEndOfLog(api.database);
  if (after === 'earliest') return oldestPosition(api, caller);
  const cursor = parseCursor(after);
  if (cursor === null)
    throw new ApiError('INVALID_REQUEST', 'after must be a next_cursor of an earlier answer, or `earliest`.');
  if (cursor.at < keptSince(api) || (await isLost(api.database, cursor.position, cursor.readIn)))
    throw await expired(api, caller);
  return cursor.position;
}

async function readPage(
  { database, accountKeys }: Api,
  caller: Caller,
  query: Query,
  after: EventPosition,
): Promise<Page> {
  const deviceIds = await visibleDevices(database, caller);
  const page = await readFeed(database, caller.accountId, after, { ...query, deviceIds });
  const known = page.events.filter(isKnown);
  const cursors = known.map(({ position, at }) => nameOfCursor({ position, at, readIn: page.readIn }));
  return {
    events: await showFeed(database, accountKeys, known),
    cursors,
    next: page.next,
    readIn: page.readIn,
    hasMore: page.hasMore,
    readUntil: page.readUntil,
  };
}

type Reader = { readonly request: OperationRequest<'listEvents'>; readonly gone: AbortSignal };

/**
 * Reads a page. If it is empty, waits up to `waitMs` for news. The wait begins before the page is read, so that no event
 * falls between. Rejects if the caller may not read any more.
 */
async function readOrWait(api: Api, { request, gone }: Reader, after: EventPosition, waitMs: number): Promise<Page> {
  const { caller, query } = request;
  const isRead = new AbortController();
  const ended = AbortSignal.any([gone, isRead.signal]);
  const news = waitMs > 0 ? api.live.news(caller.accountId, waitMs, ended).catch(() => undefined) : null;
  try {
    const page = await readPage(api, caller, query, after);
    if (page.events.length === 0 && !page.hasMore) await news;
    await mayStillRead(api, caller, gone);
    return page;
  } finally {
    isRead.abort();
  }
}

/** Reads until there is an event, the time is over, or the reader has gone. */
async function pollPage(api: Api, request: OperationRequest<'listEvents'>): Promise<Page> {
  const { caller, query } = request;
  const gone = request.callerGone();
  const deadline = performance.now() + query.waitSeconds * 1_000;
  let after = await startOf(api, caller, query.after);
  for (;;) {
    const leftMs = Math.max(0, deadline - performance.now());
    const page = await readOrWait(api, { request, gone }, after, Math.min(leftMs, checkEveryMs));
    if (page.events.length > 0 || leftMs === 0) return page;
    if (gone.aborted) {
      await mayStillRead(api, caller, gone);
      return page;
    }
    after = page.next;
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
  try {
    while (!closed.aborted) {
      const page = await readOrWait(api, { request, gone: closed }, after, checkEveryMs);
      for (const [index, event] of page.events.entries())
        stream.send(page.cursors[index] ?? '', { event: event.type, data: event });
      after = page.next;
      await stream.taken();
    }
  } catch {
    // The head has been sent. The reader comes back and is told why.
  }
  stream.end();
  await stream.closed;
}

async function listPage(api: Api, request: OperationRequest<'listEvents'>): Promise<DataOf<'listEvents'>> {
  const page = await pollPage(api, request);
  const seenUntil = page.readUntil ?? new Date(api.now());
  return {
    events: [...page.events],
    next_cursor: nameOfCursor({ position: page.next, at: seenUntil, readIn: page.readIn }),
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
