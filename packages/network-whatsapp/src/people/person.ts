/**
 * Somebody to write to, as one row holds it: both addresses of the account behind a number, and to which of them the
 * messages went that have no final answer yet. One row for each number as the customer writes it.
 */

export type Person = {
  /** The number's address as the network writes it. Some countries have two ways to write a number. */
  readonly pn: string;
  /** Null when the network told none. */
  readonly lid: string | null;
  /** The address that the network took when it had refused the other. */
  readonly prefers: string | null;
  /** By message id; oldest first. */
  readonly tries: Readonly<Record<string, Try>>;
};

/** Where a message goes: the address of its first try, which every later try uses. */
export type Try = {
  readonly to: string;
  /** A try was written to the socket and never answered: the other address is not allowed any more. */
  readonly isUnanswered: boolean;
  /** Both addresses were refused; there is no other one left. */
  readonly wereBothRefused: boolean;
};

/** Keep this many tries for a person; the oldest goes first. */
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

/** What the network says now of a person; tries of messages stay as they are. */
export function learnedAnew(before: Person | undefined, found: Pick<Person, 'pn' | 'lid'>): Person {
  const { pn, lid } = found;
  const prefers = before?.prefers === pn || before?.prefers === lid ? before.prefers : null;
  return { pn, lid, prefers, tries: before?.tries ?? {} };
}

/** The address that a first try uses. */
export function addressOf({ pn, lid, prefers }: Person, byLid: boolean): string {
  return prefers ?? (byLid && lid !== null ? lid : pn);
}

/** Null when the network told only one address. */
export function otherAddress({ pn, lid }: Person, address: string): string | null {
  return address === pn ? lid : pn;
}
