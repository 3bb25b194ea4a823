/**
 * Finds out whether a number can be written to, and at which address. The driver asks once per number and day, and
 * keeps the answer over restarts.
 *
 * A look-up that fails, is throttled or gets no answer never means "not on the network". Only the server's explicit
 * word for this number does. Nothing of a message was written yet, so every outcome here is `not-sent`.
 */
import type { SendOutcome } from '@kurir/network';
import { jidNormalizedUser, type SignalDataSet, type WASocket } from 'baileys';
import type { DriverLog } from '../socket/driver-log.js';
import { lidOfUserId, userOfJid } from '../socket/jid.js';
import { BUSY_MS, outcomeOfRefusedQuery, retryAfter, UNANSWERED_MS } from '../socket/refusals.js';
import type { AccountFacts } from './account-facts.js';
import type { Lookups } from './lookups.js';
import { addressOf, learnedAnew, newPerson, type Person, type Try, withoutTry, withTry } from './person.js';
import type { StoredCache } from './stored-cache.js';
import type { UsyncAnswer } from './usync.js';

/** Baileys keeps each LID in memory for days, each with a timer. */
const LIDS_IN_MEMORY = 1_000;

const BUSY = 'temporarily_unavailable';
const NOT_ON_NETWORK: SendOutcome = { kind: 'not-sent', permanent: true, reason: 'recipient_not_on_network' };

/** The server's words for a number without an account. Its word for a number with one is `in`. */
const ABSENT: ReadonlySet<string> = new Set(['out', 'invalid']);

export const PERSON_KIND = 'person';

export type FoundPerson = { readonly kind: 'found'; readonly person: Person };

export type PeopleParts = {
  readonly lookups: Lookups;
  readonly facts: AccountFacts;
  /** By number, as the customer writes it. */
  readonly known: StoredCache<Person>;
  /** The number as the customer writes it, by the user part of its address, if the two differ. */
  readonly writtenNumbers: StoredCache<string>;
  readonly log: DriverLog;
};

export class People {
  readonly #socket: WASocket;
  readonly #parts: PeopleParts;
  #asked = 0;

  constructor(socket: WASocket, parts: PeopleParts) {
    this.#socket = socket;
    this.#parts = parts;
  }

  /** Never rejects. */
  async find(number: string): Promise<FoundPerson | SendOutcome> {
    try {
      const lid = lidOfUserId(number);
      if (lid !== null) return await this.#findHidden(number, lid);
      const person = await this.#parts.known.get(number);
      return person === undefined ? await this.#ask(number) : { kind: 'found', person };
    } catch (error) {
      return outcomeOfRefusedQuery(error, this.#parts.log);
    }
  }

  /** The stored answer about this number, of any age. Rejects as the store does. */
  recall(number: string): Promise<Person | undefined> {
    return this.#parts.known.recall(number);
  }

  /**
   * The address of a person of earlier reports or messages, without a query. `recipient` is that of `find`. Rejects as
   * the store does.
   */
  async knownAddress(recipient: string): Promise<string> {
    const person = (await this.recall(recipient)) ?? newPerson(recipient);
    const lid = person.lid ?? (await this.storedLid(person.pn));
    return this.addressOf({ ...person, lid });
  }

  /** The address for a first message and for typing. */
  async addressOf(person: Person): Promise<string> {
    return addressOf(person, await this.isByLid());
  }

  /**
   * Whether this account's chats are addressed by LID. It is not known for devices that were linked long ago; most of
   * their accounts are.
   */
  async isByLid(): Promise<boolean> {
    if (this.#socket.authState.creds.me?.lid === undefined) return false;
    return (await this.#parts.facts.get('addressing'))?.lidMigrated ?? true;
  }

  /** The number as the customer writes it, for the digits of an address. Rejects as the store does. */
  async writtenNumber(digits: string): Promise<string> {
    return (await this.#parts.writtenNumbers.recall(digits)) ?? digits;
  }

  /** The row that must be stored before this try is written to the socket. Rejects as the store does. */
  async rowWithTry(number: string, messageId: string, next: Try): Promise<SignalDataSet> {
    const person = await this.#parts.known.recall(number);
    if (person === undefined) throw new Error('a try of a message to nobody');
    const row = await this.#parts.known.revise(number, withTry(person, messageId, next));
    // `DeviceState` stores rows of any kind. The type of Baileys has only its own kinds.
    return { [PERSON_KIND]: { [number]: row } } as SignalDataSet;
  }

  /**
   * Notes a try in memory; null removes it. The row is stored with the next try. So after a restart, an answered try
   * may still count as unanswered.
   */
  async noteTry(number: string, messageId: string, next: Try | null): Promise<void> {
    const person = await this.#parts.known.recall(number);
    if (person === undefined) return;
    const noted = next === null ? withoutTry(person, messageId) : withTry(person, messageId, next);
    await this.#parts.known.revise(number, noted);
  }

  /** Notes that the network refused one address and accepted the other. */
  async learnAddress(number: string, address: string): Promise<void> {
    const person = await this.#parts.known.recall(number);
    if (person === undefined) return;
    this.#parts.known.set(number, { ...person, prefers: address });
    const isNews = (await this.#parts.facts.get('addressing')) === null;
    if (isNews) await this.#parts.facts.set('addressing', { lidMigrated: address === person.lid });
  }

  /** Call it when the network says that the known addresses are outdated. */
  forget(number: string): Promise<void> {
    return this.#parts.known.expire(number);
  }

  async #ask(number: string): Promise<FoundPerson | SendOutcome> {
    this.#asked += 1;
    // `close` only empties the memory. The rows are read again when they are needed.
    if (this.#asked % LIDS_IN_MEMORY === 0) this.#socket.signalRepository.lidMapping.close();
    const answer = await this.#parts.lookups.ask('interactive', ['contact', 'lid'], [{ number }]);
    if (answer === null) return retryAfter(UNANSWERED_MS, BUSY);
    if ('kind' in answer) return answer;
    const [user] = answer.users;
    if (user?.contact === 'in' && user.jid !== null) {
      const lid = user.lid ?? (await this.storedLid(user.jid));
      // Without the LID, a migrated account would write to the wrong address.
      if (lid === null && answer.errors.lid) return retryAfter(answer.errors.lid.backoffMs ?? BUSY_MS, BUSY);
      return this.#learn(number, user.jid, lid);
    }
    if (user?.contact && ABSENT.has(user.contact)) return NOT_ON_NETWORK;
    return retryAfter(backoffOf(answer), BUSY);
  }

  /** A LID needs no look-up. The number may have become known since the last time. */
  async #findHidden(userId: string, lid: string): Promise<FoundPerson> {
    const { known } = this.#parts;
    const pn = await this.#socket.signalRepository.lidMapping.getPNForLID(lid);
    const before = await known.recall(userId);
    const person = learnedAnew(before, { lid, pn: pn === null ? lid : jidNormalizedUser(pn) });
    if (before?.pn !== person.pn) known.set(userId, person);
    return { kind: 'found', person };
  }

  async #learn(number: string, pn: string, lid: string | null): Promise<FoundPerson> {
    const { known, writtenNumbers } = this.#parts;
    const person = learnedAnew(await known.recall(number), { pn, lid });
    known.set(number, person);
    if (userOfJid(pn) !== number) writtenNumbers.set(userOfJid(pn), number);
    if (lid !== null) await this.#map(lid, pn);
    return { kind: 'found', person };
  }

  /** Baileys keeps Signal sessions by LID, so it must know the LID before the first message. */
  async #map(lid: string, pn: string): Promise<void> {
    const { lidMapping } = this.#socket.signalRepository;
    if ((await this.storedLid(pn)) === lid) return;
    await lidMapping.storeLIDPNMappings([{ lid, pn }]);
    await this.#socket.signalRepository.migrateSession(pn, lid);
  }

  /**
   * The LID of a number's address, or null when it is not known. Reads the row, because Baileys' own look-up would ask
   * the network. Rejects as the store does.
   */
  async storedLid(pn: string): Promise<string | null> {
    const user = userOfJid(pn);
    const { [user]: lid } = await this.#socket.authState.keys.get('lid-mapping', [user]);
    return lid === undefined ? null : `${lid}@lid`;
  }
}

function backoffOf({ errors }: UsyncAnswer): number {
  return errors.contact?.backoffMs ?? BUSY_MS;
}
