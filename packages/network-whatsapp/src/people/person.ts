/**
 * The row of a person to whom the account writes. It holds both addresses of the account that has a number, and the
 * tries of messages that have no final answer yet. There is one row for each number as the customer writes it, and one
 * for each id of a person whose number is hidden.
 */
import { jidOfNumber, lidOfUserId } from '../socket/jid.js';

export type Person = {
  /**
   * The number's address as the network writes it. In some countries a number can be written in two ways. If the network
   * hides the number, it is the LID.
   */
  readonly pn: string;
  /** Null when the network named no LID. */
  readonly lid: string | null;
  /** The address that the network accepted after it had refused the other one. */
  readonly prefers: string | null;
  /** By message id, oldest first. */
  readonly tries: Readonly<Record<string, Try>>;
};

/** A try to send a message. Every later try uses the address of the first. */
export type Try = {
  readonly to: string;
  /** A try was written to the socket and never answered. The other address must not be used any more. */
  readonly isUnanswered: boolean;
  /** The network refused both addresses, so no other one is left. */
  readonly wereBothRefused: boolean;
};

/** How many tries are kept for a person. The oldest are dropped first. */
const KEPT_TRIES = 20;

export function withTry(person: Person, messageId: string, next: Try): Person {
  const { [messageId]: _before, ...others } = person.tries;
  const kept = Object.entries({ ...others, [messageId]: next }).slice(-KEPT_TRIES);
  return { ...person, tries: Object.fromEntries(kept) };
}

export function withoutTry(person: Person, messageId: string): Person {
  const { [messageId]: _over, ...tries } = person.tries;
  return { ...person, tries };
}

/** The person with the addresses that the network gives now. The tries stay. */
export function learnedAnew(before: Person | undefined, found: Pick<Person, 'pn' | 'lid'>): Person {
  const { pn, lid } = found;
  const prefers = before?.prefers === pn || before?.prefers === lid ? before.prefers : null;
  return { pn, lid, prefers, tries: before?.tries ?? {} };
}

/** The address of a first try. */
export function addressOf({ pn, lid, prefers }: Person, byLid: boolean): string {
  return prefers ?? (byLid && lid !== null ? lid : pn);
}

/** Null when the network named only one address. */
export function otherAddress({ pn, lid }: Person, address: string): string | null {
  const other = address === pn ? lid : pn;
  return other === address ? null : other;
}

/** A person of whom no row is stored. */
export function newPerson(recipient: string): Person {
  const lid = lidOfUserId(recipient);
  return { pn: lid ?? jidOfNumber(recipient), lid, prefers: null, tries: {} };
}
