/**
 * Hands the events of a feed to a developer's program, one after the other. It tries a refused event a few times and
 * then gives it up, because one bad event must not hold up the others. While nobody listens at the address, it waits.
 */
import type { Clock } from '../../calls/clock.js';
import type { KurirEvent } from '../../contract/call-types.js';
import { type Post, postEvent, type PostOutcome } from './post-event.js';

const maxRefusals = 5;
const firstPauseMs = 1_000;
const maxPauseMs = 5_000;

export type Try = {
  readonly event: KurirEvent;
  readonly outcome: PostOutcome;
  /** Counts from 1. */
  readonly number: number;
  /** How long until the next try. Null: there is none. */
  readonly pauseMs: number | null;
};

export type Forwarding = {
  readonly events: AsyncIterable<KurirEvent>;
  /** Makes the request anew for each try. Null: the program gets nothing for this event. */
  readonly postOf: (event: KurirEvent) => Post | null | Promise<Post | null>;
  readonly onTry: (tried: Try) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

export type Forwarded = { taken: number; givenUp: number };

/** Returns whether the program took the event, and null if there was nothing to send. */
async function forwardOne(event: KurirEvent, { postOf, onTry, clock, signal }: Forwarding): Promise<boolean | null> {
  for (let number = 1, refusals = 0; ; number++) {
    const post = await postOf(event);
    if (post === null) return null;
    const outcome = await postEvent(post, clock, signal);
    if (outcome.kind === 'refused') refusals++;
    const isOver = outcome.kind === 'taken' || refusals === maxRefusals;
    const pauseMs = isOver ? null : Math.min(firstPauseMs * 2 ** (number - 1), maxPauseMs);
    onTry({ event, outcome, number, pauseMs });
    if (pauseMs === null) return outcome.kind === 'taken';
    await clock.sleep(pauseMs, signal);
  }
}

/** Runs until `signal` is aborted, or until the feed fails for good. Returns how many events the program took. */
export async function forwardEvents(forwarding: Forwarding): Promise<Forwarded> {
  const { events, signal } = forwarding;
  const counts = { taken: 0, givenUp: 0 };
  try {
    for await (const event of events) {
      const taken = await forwardOne(event, forwarding);
      if (taken === true) counts.taken++;
      if (taken === false) counts.givenUp++;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return counts;
}
