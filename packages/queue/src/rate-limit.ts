/**
 * Requests per key and minute, counted in Redis for all api processes together: each takes a permit of its own, and while Redis
 * answers and keeps its counts no more pass than the limit says. Requests of a key that arrive while Redis is asked share the next
 * question. While they keep coming, permits for the next ones are reserved with it, so that hardly any request waits for
 * Redis. An api keeps what it has reserved until the window ends: a thirty-second of what was left of the window at most, which other
 * apis then miss if no more requests of the key come to it.
 */
import type { RateCounter, RateTally } from './rate-counter.js';

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

/** As many permits are reserved as other requests arrived within such a time. */
const reserveForMs = 50;
/** Of what is left of the window. Near its limit a key is counted one by one again. */
const mostReserved = 1 / 32;
/** What other apis took meanwhile is asked for when the last answer is older than this. */
const freshForMs = 1_000;

/** Consecutive permits of a window, from `next` up to `last`, that nobody has yet. */
type Permits = { next: number; readonly last: number; readonly limit: number; readonly endsAt: number };

type Waiter = (state: RateLimitState | null) => void;

/** The permits of one key: who waits for one, and those that are reserved. */
class KeyPermits {
  readonly #count: (requests: number) => Promise<RateTally | null>;
  readonly #now: () => number;
  readonly #waiters: Waiter[] = [];
  #reserved: Permits[] = [];
  #asking = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  #countingSince = Number.NEGATIVE_INFINITY;
  #arrivals = 0;
  /** In the time before, if it is just over. */
  #arrivalsBefore = 0;
  /** That nobody had by the last answer; below 0 when more were asked for than there are. */
  #remaining = 0;
  #endsAt = Number.NEGATIVE_INFINITY;

  constructor(count: (requests: number) => Promise<RateTally | null>, now: () => number) {
    this.#count = count;
    this.#now = now;
  }

  take(): Promise<RateLimitState | null> {
    this.#countArrival();
    const isFresh = this.#now() - this.#askedAt < freshForMs;
    const state = isFresh && this.#waiters.length === 0 ? this.#takeReserved() : null;
    if (this.#countReserved() < this.#wanted() / 2) void this.#ask();
    if (state !== null) return Promise.resolve(state);
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      void this.#ask();
    });
  }

  /** Nobody waits, and what it knows of its window is over. */
  isOver(): boolean {
    return !this.#asking && this.#now() >= this.#endsAt;
  }

  #isLeft({ next, last, endsAt }: Permits): boolean {
    return next <= last && this.#now() < endsAt;
  }

  #takeReserved(): RateLimitState | null {
    const permits = this.#reserved.find((some) => this.#isLeft(some));
    return permits === undefined ? null : this.#takeOf(permits);
  }

  #takeOf(permits: Permits): RateLimitState {
    const { limit, endsAt } = permits;
    const permit = permits.next++;
    return {
      allowed: permit <= limit,
      limit,
      remaining: Math.max(0, this.#remaining + this.#countReserved()),
      resetSeconds: Math.ceil((endsAt - this.#now()) / 1000),
    };
  }

  #countReserved(): number {
    const now = this.#now();
    return this.#reserved.reduce((sum, { next, last, endsAt }) => (now < endsAt ? sum + last - next + 1 : sum), 0);
  }

  #countArrival(): void {
    const elapsedMs = this.#now() - this.#countingSince;
    if (elapsedMs >= reserveForMs) {
      this.#arrivalsBefore = elapsedMs < 2 * reserveForMs ? this.#arrivals : 0;
      this.#arrivals = 0;
      this.#countingSince = this.#now();
    }
    this.#arrivals += 1;
  }

  /** How many permits there should be in reserve. */
  #wanted(): number {
    if (this.#now() >= this.#endsAt) return 0;
    const others = Math.max(this.#arrivalsBefore, this.#arrivals - 1);
    return Math.floor(Math.min(others, this.#remaining * mostReserved));
  }

  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    do {
      // One turn of the event loop gathers what was read from the sockets together.
      await new Promise(setImmediate);
      await this.#askOnce();
    } while (this.#waiters.length > 0);
    this.#asking = false;
  }

  async #askOnce(): Promise<void> {
    // Else those of a key that comes every other second, and always asks, would pile up.
    this.#reserved = this.#reserved.filter((permits) => this.#isLeft(permits));
    const waiters = this.#waiters.splice(0);
    const requests = waiters.length + Math.max(0, this.#wanted() - this.#countReserved());
    if (requests === 0) return;
    this.#askedAt = this.#now();
    const tally = await this.#count(requests);
    if (tally === null) {
      // Redis may still have counted them: nothing is reserved until it has answered again.
      this.#remaining = 0;
      for (const tell of waiters) tell(null);
      return;
    }
    const { limit, taken, resetMs } = tally;
    this.#remaining = limit - taken;
    // By when it was asked, so that no permit outlives its window.
    this.#endsAt = this.#askedAt + resetMs;
    const permits: Permits = { next: taken - requests + 1, last: taken, limit, endsAt: this.#endsAt };
    this.#reserved.push(permits);
    for (const tell of waiters) tell(this.#takeOf(permits));
    this.#serveWaiting();
  }

  /** Those who came while it was asked have what was reserved with it. */
  #serveWaiting(): void {
    while (this.#waiters.length > 0) {
      const state = this.#takeReserved();
      if (state === null) return;
      this.#waiters.shift()?.(state);
    }
  }
}

const forgetEveryMs = 60_000;

/** Asks for a key once at a time. `now`: milliseconds by a clock that never goes back. */
export function createRateLimit(counter: RateCounter, now: () => number = () => performance.now()): RateLimit {
  const keys = new Map<string, KeyPermits>();
  let forgotAt = now();

  function forgetOver(): void {
    if (now() - forgotAt < forgetEveryMs) return;
    forgotAt = now();
    for (const [keyId, permits] of keys) if (permits.isOver()) keys.delete(keyId);
  }

  function open(keyId: string): KeyPermits {
    forgetOver();
    const permits = new KeyPermits((requests) => counter.count(keyId, requests), now);
    keys.set(keyId, permits);
    return permits;
  }

  return { take: (keyId) => (keys.get(keyId) ?? open(keyId)).take() };
}
