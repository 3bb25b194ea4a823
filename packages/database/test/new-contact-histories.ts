/**
 * Random histories of a device for thirty days: accepted messages, messages from people, and reports of the network.
 */
import type { AccountLimits } from '../src/sessions/device-session.js';

export type Happening =
  | { readonly kind: 'accept'; readonly recipient: string; readonly priority: number }
  | { readonly kind: 'hear'; readonly from: string }
  | { readonly kind: 'report'; readonly limits: AccountLimits };

export type Random = () => number;

const hourMs = 3_600_000;

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pick = <T>(random: Random, values: readonly [T, ...T[]]): T =>
  values[Math.floor(random() * values.length)] ?? values[0];

/** Moments of thirty days in order, in whole milliseconds. Some are close together and some far apart. */
export function momentsOf(random: Random, from: Date, count: number): Date[] {
  const days = 30;
  let at = from.getTime();
  const gaps = Array.from({ length: count }, () => pick(random, [0.001, 0.01, 0.2, 1, 4]) * (0.5 + random()));
  const scale = (days * 24 * hourMs) / gaps.reduce((sum, gap) => sum + gap, 0);
  return gaps.map((gap) => {
    at += Math.max(1, Math.round(gap * scale));
    return new Date(at);
  });
}

export class HistoryMaker {
  readonly #random: Random;
  #people = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** The events of one moment; mostly few. */
  at(moment: Date): Happening[] {
    const happens = this.#random();
    if (happens < 0.6) return this.#burst();
    if (happens < 0.75) return [{ kind: 'hear', from: this.#person() }];
    return happens < 0.87 ? [{ kind: 'report', limits: this.#limits(moment) }] : [];
  }

  #burst(): Happening[] {
    const random = this.#random;
    const length = pick(random, [1, 1, 1, 2, 6, 24]);
    const priority = pick(random, [0, 0, 1, 2]);
    return Array.from({ length }, () => ({ kind: 'accept', recipient: this.#person(), priority }));
  }

  /** Mostly a new person; otherwise an earlier one, who may be a contact by now. */
  #person(): string {
    if (this.#people > 0 && this.#random() < 0.3) return `62811${Math.floor(this.#random() * this.#people)}`;
    return `62811${this.#people++}`;
  }

  #limits(moment: Date): AccountLimits {
    const random = this.#random;
    const ahead = () =>
      random() < 0.15 ? null : new Date(moment.getTime() + Math.round((random() * 90 - 4) * hourMs));
    const kind = pick(random, ['none', 'none', 'none', 'first', 'first', 'second'] as const);
    const isBlocked = random() < 0.25;
    return {
      newContacts: isBlocked ? { blockedUntil: ahead(), reason: 'strangers' } : 'allowed',
      newChatQuota: null,
      ...(kind === 'none' ? {} : { warning: { kind, until: ahead() } }),
    };
  }
}
