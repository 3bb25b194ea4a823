/** The automatic limit of new contacts, on a clock that the test moves: the steps, and thirty days of many devices. */
import { describe, expect, test } from 'vitest';
import { allowanceAt, healthAfter, type NumberHealth, newNumber, warningAt } from '../../../test/health-model.js';
import { HistoryMaker, momentsOf, seeded } from '../../../test/new-contact-histories.js';
import { ModelDevice, type ModelMessage } from '../../../test/new-contact-model.js';
import type { AccountLimits } from '../../sessions/device-session.js';
import { keptForCodes } from './number-health.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = new Date('2026-11-24T08:00:00.000Z');
const after = (days: number) => new Date(start.getTime() + days * dayMs);
const free: AccountLimits = { newContacts: 'allowed', newChatQuota: null };
const warned = (kind: 'first' | 'second', until: Date | null): AccountLimits => ({ ...free, warning: { kind, until } });
const restricted = (blockedUntil: Date | null): AccountLimits => ({
  ...free,
  newContacts: { blockedUntil, reason: 'strangers' },
});

/** The allowance at the start of each day. */
const days = (health: NumberHealth, from: number, count: number) =>
  Array.from({ length: count }, (_, n) => allowanceAt(health, after(from + n)));

describe('the day’s allowance', () => {
  test('grows by half after each clean day up to a maximum, and keeps a fifth for codes', () => {
    expect(days(newNumber(start), 0, 10)).toEqual([20, 30, 45, 67, 101, 151, 226, 250, 250, 250]);
    expect(allowanceAt(newNumber(start), after(0.999))).toBe(20);
    expect([20, 67, 250, 1, 0].map(keptForCodes)).toEqual([4, 14, 50, 1, 0]);
  });

  test('is halved by a first warning and zero after a second, and the day of a warning is not clean', () => {
    const first = healthAfter(newNumber(start), warned('first', after(4)), after(2.5));
    expect(days(first, 2.5, 4)).toEqual([22, 22, 45, 67]);
    const second = healthAfter(first, warned('second', after(4)), after(3));
    expect(days(second, 3, 2)).toEqual([0, 45]);
    const lifted = healthAfter(second, free, after(3.5));
    expect(days(lifted, 3.5, 2)).toEqual([45, 67]);
    expect(warningAt(lifted, after(3.5))).toBe('none');
  });

  test('starts lower after a restriction, and stays lower than that of a number without one', () => {
    const health = healthAfter(newNumber(start), restricted(after(9)), after(8));
    expect(days(health, 9, 10)).toEqual([10, 15, 22, 33, 50, 75, 113, 170, 250, 250]);
    expect(days(healthAfter(health, free, after(8.5)), 8.5, 2)).toEqual([10, 15]);
  });

  test('without an end from the network, a restriction counts for an hour and a warning for a day', () => {
    const health = healthAfter(newNumber(start), restricted(null), after(3));
    expect(health.cleanSince).toEqual(new Date(after(3).getTime() + hourMs));
    expect(healthAfter(health, warned('first', null), after(4)).warnedUntil).toEqual(after(5));
  });

  test('a repeated report changes nothing, and neither does one that is already over', () => {
    for (const limits of [free, restricted(after(5)), warned('first', after(5)), warned('second', after(6))]) {
      const once = healthAfter(newNumber(start), limits, after(3));
      expect(healthAfter(once, limits, after(3.5))).toEqual(once);
    }
    expect(healthAfter(newNumber(start), warned('second', after(2)), after(3))).toEqual(newNumber(start));
  });
});

/** Calculates the allowance from the reports again, day by day, without formulas of the product. */
function allowanceByDays(told: readonly { readonly limits: AccountLimits; readonly at: number }[], at: number): number {
  let [days, since, warning, warnedUntil, base] = [0, start.getTime(), 'none', 0, 20];
  const countTo = (moment: number) => {
    for (; since + dayMs <= moment; since += dayMs) days++;
  };
  for (const { limits, at: toldAt } of told) {
    const end = limits.warning === undefined ? 0 : (limits.warning.until?.getTime() ?? toldAt + dayMs);
    const isWarned = end > toldAt;
    const isBlocked = limits.newContacts !== 'allowed';
    countTo(toldAt);
    if (since > toldAt || isWarned || isBlocked) since = toldAt;
    [warning, warnedUntil] = isWarned ? [limits.warning?.kind ?? 'none', end] : ['none', 0];
    if (isWarned) since = end;
    if (limits.newContacts === 'allowed') continue;
    const blockEnd = limits.newContacts.blockedUntil?.getTime() ?? toldAt + hourMs;
    [days, base, since] = [0, 10, isWarned ? Math.max(blockEnd, end) : blockEnd];
  }
  countTo(at);
  const steps = base === 20 ? [20, 30, 45, 67, 101, 151, 226, 250] : [10, 15, 22, 33, 50, 75, 113, 170, 250];
  const full = steps[Math.min(days, steps.length - 1)] ?? 0;
  if (warnedUntil <= at) return full;
  return warning === 'second' ? 0 : Math.floor(full / 2);
}

/** Runs so often that `expect` would take most of the time. */
function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

const totals = { histories: 0, sent: 0, new: 0, codesToNew: 0, reports: 0, held: 0, codesHeld: 0 };

class History {
  readonly #device: ModelDevice;
  readonly #told: { limits: AccountLimits; at: number }[] = [];
  readonly #maker: HistoryMaker;
  readonly #moments: Date[];
  #seq = 0;

  constructor(seed: number) {
    const random = seeded(seed);
    this.#maker = new HistoryMaker(random);
    this.#moments = momentsOf(random, start, 40);
    this.#device = new ModelDevice(start, () => 20_000 + Math.round(random() * 40_000));
  }

  run(): void {
    for (const [n, moment] of this.#moments.entries()) {
      this.#happen(moment);
      this.#sendUntil(moment, this.#moments[n + 1] ?? moment);
    }
    totals.histories++;
  }

  #happen(at: Date): void {
    const device = this.#device;
    for (const happening of this.#maker.at(at)) {
      if (happening.kind === 'hear') device.hear(happening.from, at);
      else if (happening.kind === 'accept') device.queue.push({ ...happening, seq: this.#seq++ });
      else {
        device.report(happening.limits, at);
        this.#told.push({ limits: happening.limits, at: at.getTime() });
        totals.reports++;
      }
    }
  }

  /** Goes from one time at which the model expects a message to go to the next. */
  #sendUntil(from: Date, to: Date): void {
    for (let at: Date | null = from; at !== null && at <= to; ) {
      let sent = 0;
      while (this.#sendOne(at)) sent++;
      if (at > from) must(sent > 0, 'nothing goes at the time that was said');
      at = this.#checkHeld(at);
    }
  }

  #sendOne(at: Date): boolean {
    const { newContacts } = this.#device;
    const [count, last] = [newContacts.length, newContacts.at(-1) ?? 0];
    const message = this.#device.sendNext(at);
    if (message === null) return false;
    totals.sent++;
    if (newContacts.length > count) this.#checkNew(message, at, last);
    return true;
  }

  #usedAt(at: Date): number {
    return this.#device.newContacts.filter((wroteAt) => wroteAt > at.getTime() - dayMs).length;
  }

  #checkNew({ priority }: ModelMessage, at: Date, last: number): void {
    const allowance = allowanceByDays(this.#told, at.getTime());
    const most = priority === 0 ? allowance : Math.floor((4 * allowance) / 5);
    must(this.#usedAt(at) <= most, 'the allowance is exceeded');
    must(!this.#device.isBlocked(at), 'written to a new contact under a restriction');
    must(priority === 0 || last === 0 || at.getTime() - last >= 20_000, 'no pause between two new contacts');
    totals.new++;
    if (priority === 0) totals.codesToNew++;
  }

  /** The next time at which a held message may go. */
  #checkHeld(at: Date): Date | null {
    const device = this.#device;
    let next: Date | null = null;
    for (const priority of [0, 1]) {
      const held = device.queue.filter((message) => Math.min(1, message.priority) === priority);
      for (const { recipient } of held) must(!device.knows(recipient), 'a known contact is held');
      const [message] = held;
      if (message === undefined) continue;
      totals.held += held.length;
      const waiting = device.waiting(message, at);
      must(waiting !== null, 'held without a reason');
      if (priority === 0) {
        totals.codesHeld += held.length;
        const isFull = this.#usedAt(at) >= allowanceByDays(this.#told, at.getTime());
        must(isFull || device.isBlocked(at), 'a code is held while its fifth is not used up');
      }
      const until = waiting?.until ?? null;
      if (until !== null && (next === null || until < next)) next = until;
    }
    return next;
  }
}

test('random histories of thirty days never exceed the allowance, hold no known contact, and hold codes only when their fifth is used', () => {
  for (let seed = 1; seed <= 10_000; seed++) new History(seed).run();
  console.info('number health:', JSON.stringify(totals));
  expect(totals.histories).toBe(10_000);
  expect(Math.min(totals.new, totals.codesToNew, totals.reports, totals.codesHeld)).toBeGreaterThan(10_000);
}, 300_000);
