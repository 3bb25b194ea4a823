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

  /** `caller` names a key with the address of its sender, a person, or the address of somebody unknown. */
  open(caller: string): BodyReservation {
    return new BodyReservation((bytes) => this.#add(caller, bytes));
  }

  /** Returns the refusal, and reserves nothing, if that is too much. Negative bytes give back. */
  #add(caller: string, bytes: number): ApiError | null {
    const ofCaller = (this.#byCaller.get(caller) ?? 0) + bytes;
    if (bytes > 0 && ofCaller > this.#limits.callerMaxBytes)
      return new ApiError('RATE_LIMITED', 'Too many large requests arrive at once. Send them one after the other.', {
        retryAfterSeconds,
      });
    if (bytes > 0 && this.#bytes + bytes > this.#limits.processMaxBytes)
      return new ApiError('SERVICE_UNAVAILABLE', 'Too many large requests arrive at once. Send it again shortly.', {
        retryAfterSeconds,
      });
    this.#bytes += bytes;
    if (ofCaller === 0) this.#byCaller.delete(caller);
    else this.#byCaller.set(caller, ofCaller);
    return null;
  }
}

/** The part of the budget that one request uses. */
export class BodyReservation {
  readonly #add: (bytes: number) => ApiError | null;
  #bytes = 0;

  constructor(add: (bytes: number) => ApiError | null) {
    this.#add = add;
  }

  /** Reserves until the request holds `bytes` in all. Returns the refusal, and reserves nothing more, if that is too much. */
  growTo(bytes: number): ApiError | null {
    if (bytes <= this.#bytes) return null;
    const refusal = this.#add(bytes - this.#bytes);
    if (refusal === null) this.#bytes = bytes;
    return refusal;
  }

  /** Gives everything back. A second call does nothing. */
  release(): void {
    this.#add(-this.#bytes);
    this.#bytes = 0;
  }
}
