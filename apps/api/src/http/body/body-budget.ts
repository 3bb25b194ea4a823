/**
 * Limits the bytes of request bodies that this process holds at once, over all callers and for each caller. A body counts
 * from its first byte until its caller gives it back, so that slow or parallel uploads cannot use up the memory.
 */
import { ApiError } from '@kurir/contracts';

export type BodyBudgetLimits = { readonly processMaxBytes: number; readonly callerMaxBytes: number };

export const bodyBudgetLimits: BodyBudgetLimits = {
  processMaxBytes: 256 * 1024 * 1024,
  callerMaxBytes: 64 * 1024 * 1024,
};

const retryAfterSeconds = 1;

type LimitHeaders = readonly (readonly [name: string, value: string])[];
type Refusal = { readonly error: ApiError; readonly headers: LimitHeaders };

const limitHeaders = (maxBytes: number, leftBytes: number): LimitHeaders => [
  ['RateLimit-Policy', `"body-bytes";q=${maxBytes};qu="content-bytes"`],
  ['RateLimit', `"body-bytes";r=${leftBytes};t=${retryAfterSeconds}`],
];

const callerBusy = () =>
  new ApiError('RATE_LIMITED', 'Too many large requests arrive at once. Send them one after the other.', {
    retryAfterSeconds,
  });
const processBusy = () =>
  new ApiError('SERVICE_UNAVAILABLE', 'Too many large requests arrive at once. Send it again shortly.', {
    retryAfterSeconds,
  });

export class BodyBudget {
  readonly #limits: BodyBudgetLimits;
  readonly #byCaller = new Map<string, number>();
  #bytes = 0;

  constructor(limits: BodyBudgetLimits = bodyBudgetLimits) {
    this.#limits = limits;
  }

  /** The bytes that are reserved now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** `caller` names a key with the network of its sender, a person, or the network of somebody unknown. */
  open(caller: string): BodyReservation {
    return new BodyReservation((bytes) => this.#add(caller, bytes));
  }

  /** Returns the refusal, and reserves nothing, if that is too much. Negative bytes give back. */
  #add(caller: string, bytes: number): Refusal | null {
    const held = this.#byCaller.get(caller) ?? 0;
    const { callerMaxBytes, processMaxBytes } = this.#limits;
    if (bytes > 0 && held + bytes > callerMaxBytes)
      return { error: callerBusy(), headers: limitHeaders(callerMaxBytes, callerMaxBytes - held) };
    if (bytes > 0 && this.#bytes + bytes > processMaxBytes) return { error: processBusy(), headers: [] };
    this.#bytes += bytes;
    if (held + bytes === 0) this.#byCaller.delete(caller);
    else this.#byCaller.set(caller, held + bytes);
    return null;
  }
}

/** The part of the budget that one request uses. */
export class BodyReservation {
  readonly #add: (bytes: number) => Refusal | null;
  #bytes = 0;
  #refusedBy: LimitHeaders = [];

  constructor(add: (bytes: number) => Refusal | null) {
    this.#add = add;
  }

  /** The headers that name the limit of a caller who was refused. Empty without such a refusal. */
  get refusedBy(): LimitHeaders {
    return this.#refusedBy;
  }

  /** Reserves until the request holds `bytes` in all. Returns the refusal, and reserves nothing more, if that is too much. */
  growTo(bytes: number): ApiError | null {
    if (bytes <= this.#bytes) return null;
    const refusal = this.#add(bytes - this.#bytes);
    if (refusal === null) this.#bytes = bytes;
    else this.#refusedBy = refusal.headers;
    return refusal?.error ?? null;
  }

  /** Gives everything back. A second call does nothing. */
  release(): void {
    this.#add(-this.#bytes);
    this.#bytes = 0;
  }
}
