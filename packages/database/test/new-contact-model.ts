/**
 * A model of a device with the automatic limit of new contacts, in memory and on any clock. It finds the time at which
 * a message may go by trying each moment at which something changes. The product calculates it.
 */
import type { WaitingReason } from '@kurir/contracts';
import { keptForCodes, unstated } from '../src/devices/health/number-health.js';
import type { AccountLimits } from '../src/sessions/device-session.js';
import { allowanceAt, healthAfter, type NumberHealth, newNumber } from './health-model.js';

export type ModelMessage = { readonly recipient: string; readonly priority: number; readonly seq: number };
export type ModelWaiting = { readonly reason: WaitingReason; readonly until: Date | null };
type Contact = { wroteAt: number | null; heardAt: number | null };

const dayMs = 86_400_000;
const otp = 0;
const forOthers = (allowance: number) => allowance - keptForCodes(allowance);

export class ModelDevice {
  health: NumberHealth;
  blockedUntil: Date | null = null;
  queue: ModelMessage[] = [];
  /** The times at which new contacts were first written to. */
  readonly newContacts: number[] = [];
  readonly #contacts = new Map<string, Contact>();
  readonly #pauseMs: () => number;
  #pausesUntil = 0;

  constructor(linkedAt: Date, pauseMs: () => number) {
    this.health = newNumber(linkedAt);
    this.#pauseMs = pauseMs;
  }

  report(limits: AccountLimits, at: Date): void {
    this.health = healthAfter(this.health, limits, at);
    const { newContacts } = limits;
    this.blockedUntil =
      newContacts === 'allowed' ? null : (newContacts.blockedUntil ?? new Date(at.getTime() + unstated.blockMs));
  }

  hear(from: string, at: Date): void {
    const known = this.#contacts.get(from);
    if (known === undefined) this.#contacts.set(from, { wroteAt: null, heardAt: at.getTime() });
    else known.heardAt ??= at.getTime();
  }

  knows(recipient: string): boolean {
    return this.#contacts.has(recipient);
  }

  isBlocked(at: Date): boolean {
    return this.blockedUntil !== null && this.blockedUntil > at;
  }

  /** New contacts within 24 hours. A contact who replied later still counts. */
  usedAt(at: Date): number {
    let used = 0;
    for (let i = this.newContacts.length - 1; i >= 0 && (this.newContacts[i] ?? 0) > at.getTime() - dayMs; i--) used++;
    return used;
  }

  waiting(message: ModelMessage, at: Date): ModelWaiting | null {
    if (this.knows(message.recipient)) return null;
    const latest = (until: Date | null) => until?.getTime() ?? Number.POSITIVE_INFINITY;
    const [longest] = this.#refusals(message.priority, at).toSorted(
      (a, b) => latest(b.until) - latest(a.until) || a.reason.localeCompare(b.reason),
    );
    return longest ?? null;
  }

  /** Sends the most urgent message that may go, if there is one. */
  sendNext(at: Date): ModelMessage | null {
    const verdicts = [this.#refusals(otp, at), this.#refusals(1, at)] as const;
    const mayGo = ({ recipient, priority }: ModelMessage) =>
      this.knows(recipient) || verdicts[priority === otp ? 0 : 1].length === 0;
    let next: ModelMessage | null = null;
    for (const message of this.queue) {
      const isNext = next === null || message.priority < next.priority;
      if (isNext && mayGo(message)) next = message;
    }
    if (next !== null) this.#wrote(next, at);
    return next;
  }

  #wrote(message: ModelMessage, at: Date): void {
    this.queue = this.queue.filter((other) => other !== message);
    const known = this.#contacts.get(message.recipient);
    if (known !== undefined) {
      known.wroteAt ??= at.getTime();
      return;
    }
    this.#contacts.set(message.recipient, { wroteAt: at.getTime(), heardAt: null });
    this.newContacts.push(at.getTime());
    this.#pausesUntil = at.getTime() + this.#pauseMs();
  }

  #limitOf(priority: number, at: Date): number {
    const allowance = allowanceAt(this.health, at);
    return priority === otp ? allowance : forOthers(allowance);
  }

  #refusals(priority: number, at: Date): ModelWaiting[] {
    const refusals: ModelWaiting[] = [];
    if (this.isBlocked(at)) refusals.push({ reason: 'network_restriction', until: this.blockedUntil });
    if (this.usedAt(at) >= this.#limitOf(priority, at)) {
      const reason = allowanceAt(this.health, at) === 0 ? 'network_warning' : 'new_contact_allowance';
      refusals.push({ reason, until: this.#roomAt(priority, at) });
    }
    if (priority !== otp && this.#pausesUntil > at.getTime())
      refusals.push({ reason: 'new_contact_pause', until: new Date(this.#pausesUntil) });
    return refusals;
  }

  #roomAt(priority: number, at: Date): Date | null {
    const { cleanSince, warnedUntil } = this.health;
    const days = Math.max(0, Math.floor((at.getTime() - cleanSince.getTime()) / dayMs));
    const steps = [0, 1, 2].map((more) => cleanSince.getTime() + (days + more) * dayMs);
    const returning = this.newContacts.slice(-250).map((wroteAt) => wroteAt + dayMs);
    const moments = [...returning, ...steps, warnedUntil?.getTime() ?? 0]
      .filter((moment) => moment > at.getTime())
      .toSorted((a, b) => a - b)
      .map((moment) => new Date(moment));
    return moments.find((moment) => this.usedAt(moment) < this.#limitOf(priority, moment)) ?? null;
  }
}
