/**
 * Requests per key and minute, counted in Redis for all api processes together: each has a place of its own, and never are
 * more let through than the limit says. Requests of a key that arrive while it is being asked share the next question, and
 * while they keep coming some places are counted ahead, so that hardly any request waits for Redis. An api that has such
 * places and hears no more of the key leaves them unused: a thirty-second of what was left of the window at most.
 */
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { QueueConnection } from './connect.js';

export type RateTally = {
  readonly limit: number;
  /** In this window, those that were counted just now included. */
  readonly taken: number;
  /** Until the window begins anew. */
  readonly resetMs: number;
};

export type RateCounter = {
  /** Counts requests of a key. Null when Redis is away: they then pass. */
  count(keyId: string, requests: number): Promise<RateTally | null>;
};

/** A fixed window of a minute per key, shared by all api processes. */
export function createRateCounter(connection: QueueConnection, options: { requestsPerMinute: number }): RateCounter {
  const limiter = new RateLimiterRedis({
    storeClient: connection.commands,
    keyPrefix: `${connection.options.prefix}:rate`,
    points: options.requestsPerMinute,
    duration: 60,
    rejectIfRedisNotReady: true,
  });
  const tallyOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes): RateTally => ({
    limit: options.requestsPerMinute,
    taken: consumedPoints,
    resetMs: msBeforeNext,
  });
  return {
    async count(keyId, requests) {
      try {
        return tallyOf(await limiter.consume(keyId, requests));
      } catch (refusal) {
        return refusal instanceof RateLimiterRes ? tallyOf(refusal) : null;
      }
    },
  };
}

export type RateLimitState = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Until the window begins anew. */
  readonly resetSeconds: number;
};

export type RateLimit = {
  /** Counts one request of a key. Null when Redis is away: requests then pass. */
  take(keyId: string): Promise<RateLimitState | null>;
};

/** Places are counted ahead for so long, at the rate at which requests came last. */
const aheadMs = 50;
/** A rate is told from no shorter time. */
const shortestMs = 10;
/** Of what is left of the window. Near its limit a key is counted one by one again. */
const mostAhead = 1 / 32;

/** Consecutive places of a window, from `next` up to `last`, that nobody has yet. */
type Places = { next: number; readonly last: number; readonly limit: number; readonly endsAt: number };

type Asker = (state: RateLimitState | null) => void;

/** What the request hears that has this place. */
const stateOf = ({ limit, endsAt }: Places, place: number, now: number): RateLimitState => ({
  allowed: place <= limit,
  limit,
  remaining: Math.max(0, limit - place),
  resetSeconds: Math.ceil((endsAt - now) / 1000),
});

/** One key: who waits for a place, and the places that wait for somebody. */
class KeyPlaces {
  readonly #count: (requests: number) => Promise<RateTally | null>;
  readonly #now: () => number;
  readonly #askers: Asker[] = [];
  readonly #ahead: Places[] = [];
  #asking = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  #cameSince = 0;
  /** As the last answer had them. */
  #left = 0;
  #endsAt = Number.NEGATIVE_INFINITY;

  constructor(count: (requests: number) => Promise<RateTally | null>, now: () => number) {
    this.#count = count;
    this.#now = now;
  }

  take(): Promise<RateLimitState | null> {
    this.#cameSince += 1;
    const state = this.#askers.length === 0 ? this.#takeAhead() : null;
    if (this.#unused() < this.#wanted() / 2) void this.#ask();
    if (state !== null) return Promise.resolve(state);
    return new Promise((resolve) => {
      this.#askers.push(resolve);
      void this.#ask();
    });
  }

  /** Nobody waits, and what it knows of its window is over. */
  isOver(): boolean {
    return !this.#asking && this.#now() >= this.#endsAt;
  }

  #takeAhead(): RateLimitState | null {
    const now = this.#now();
    for (let places = this.#ahead[0]; places !== undefined; places = this.#ahead[0]) {
      if (places.next <= places.last && now < places.endsAt) return stateOf(places, places.next++, now);
      this.#ahead.shift();
    }
    return null;
  }

  #unused(): number {
    return this.#ahead.reduce((sum, { next, last }) => sum + last - next + 1, 0);
  }

  /** How many places there should be ahead, by those that came since the last question. */
  #wanted(): number {
    const now = this.#now();
    if (now >= this.#endsAt) return 0;
    const perMs = this.#cameSince / Math.max(shortestMs, now - this.#askedAt);
    return Math.floor(Math.min(perMs * aheadMs, this.#left * mostAhead));
  }

  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    do {
      // One turn of the event loop gathers what was read from the sockets together.
      await new Promise(setImmediate);
      await this.#askOnce();
    } while (this.#askers.length > 0);
    this.#asking = false;
  }

  async #askOnce(): Promise<void> {
    const asked = this.#askers.splice(0);
    const requests = asked.length + Math.max(0, this.#wanted() - this.#unused());
    if (requests === 0) return;
    this.#askedAt = this.#now();
    this.#cameSince = 0;
    const tally = await this.#count(requests);
    if (tally === null) {
      for (const hear of asked) hear(null);
      return;
    }
    const { limit, taken, resetMs } = tally;
    this.#left = Math.max(0, limit - taken);
    // By when it was asked, so that no place outlives its window.
    this.#endsAt = this.#askedAt + resetMs;
    const places: Places = { next: taken - requests + 1, last: taken, limit, endsAt: this.#endsAt };
    for (const hear of asked) hear(stateOf(places, places.next++, this.#askedAt));
    this.#ahead.push(places);
    this.#serveWaiting();
  }

  /** Those who came while it was asked have the places that are left. */
  #serveWaiting(): void {
    while (this.#askers.length > 0) {
      const state = this.#takeAhead();
      if (state === null) return;
      this.#askers.shift()?.(state);
    }
  }
}

/** What is over is forgotten so often. */
const windowMs = 60_000;

/** Asks for a key once at a time; `count` must not reject. `now`: milliseconds by a clock that never goes back. */
export function createRateLimit(counter: RateCounter, now: () => number = () => performance.now()): RateLimit {
  const keys = new Map<string, KeyPlaces>();
  let forgotAt = now();

  function forgetOver(): void {
    if (now() - forgotAt < windowMs) return;
    forgotAt = now();
    for (const [keyId, places] of keys) if (places.isOver()) keys.delete(keyId);
  }

  function open(keyId: string): KeyPlaces {
    forgetOver();
    const places = new KeyPlaces((requests) => counter.count(keyId, requests), now);
    keys.set(keyId, places);
    return places;
  }

  return { take: (keyId) => (keys.get(keyId) ?? open(keyId)).take() };
}
