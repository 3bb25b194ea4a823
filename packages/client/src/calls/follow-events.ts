/**
 * Follows the feed of events by long polling. Each page is asked for by the cursor of the one before, so an outage loses
 * nothing. It ends when `signal` is aborted, or when the gateway refuses for good.
 */
import type { Answer, CallOptions, KurirEvent, ListEventsInput } from '../contract/call-types.js';
import type { Connection } from './connection.js';
import { KurirConnectionError, KurirError } from './errors.js';

const waitSeconds = 25;
/** After this many seconds without an answer to a request that waits, the connection is broken. */
const patienceSeconds = 10;
const maxPauseMs = 30_000;

export type EventsInput = {
  /** The cursor to continue from. `earliest` begins with the oldest event. Left out: the feed begins now. */
  readonly after?: string | undefined;
  readonly types?: readonly KurirEvent['type'][] | undefined;
  readonly deviceId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type EventFeed = AsyncIterable<KurirEvent> & {
  /** The place up to which all events were handled. Null: the feed has not begun. */
  readonly cursor: string | null;
};

type ListEvents = (query: ListEventsInput, options: CallOptions) => Promise<Answer<'listEvents'>>;

/** An outage, or a gateway that asks to come back later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof KurirConnectionError ||
  (error instanceof KurirError && (error.status >= 500 || error.status === 429));

export function followEvents(listEvents: ListEvents, connection: Connection, input: EventsInput): EventFeed {
  const { types, deviceId, signal } = input;
  const isEnded = () => signal?.aborted === true;
  let cursor = input.after ?? null;

  async function readPage(): Promise<Answer<'listEvents'>> {
    const isFirst = cursor === null;
    const wait = isFirst ? 0 : waitSeconds;
    const timeoutMs = Math.max(connection.timeoutMs, (wait + patienceSeconds) * 1_000);
    return listEvents({ after: cursor ?? undefined, types, deviceId, wait }, { signal, timeoutMs });
  }

  async function* events(): AsyncGenerator<KurirEvent> {
    for (let failures = 0; !isEnded(); ) {
      try {
        const page = await readPage();
        failures = 0;
        yield* page.events;
        cursor = page.nextCursor;
      } catch (error) {
        if (isEnded()) return;
        if (!isPassing(error)) throw error;
        const pauseMs = Math.min(1_000 * 2 ** failures, maxPauseMs) * (0.5 + connection.random() / 2);
        failures++;
        await connection.clock.sleep(pauseMs, signal).catch(() => undefined);
      }
    }
  }

  return {
    get cursor() {
      return cursor;
    },
    [Symbol.asyncIterator]: events,
  };
}
