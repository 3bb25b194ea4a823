/**
 * Tells who wrote a message, and in which chat. A stanza names a person by LID, by phone number or by both, and
 * perhaps by username (WhatsApp Web `WAWebHandleMsgParser`). The number
 * of a LID that was learned before is in the store.
 *
 * A person whose number the network hides is remembered. When the driver learns the number, it reports it.
 */
import type { Identified, Person } from '@kurir/network';
import type { BinaryNode } from 'baileys';
import { LONGEST_WORD, plainText } from '../contents/plain-values.js';
import type { StoredCache } from '../people/stored-cache.js';
import { isOwn } from '../sending/receipts.js';
import type { OwnAddresses } from '../socket/baileys-socket.js';
import type { DriverLog } from '../socket/driver-log.js';
import { digitsOfPerson, isGroup, lidUserOf, userIdOfLid, userOfJid } from '../socket/jid.js';
import type { Parties } from './report-of.js';

export type SenderParts = {
  /** The address of the phone number that belongs to a LID, or null when it is not known. Does not ask the network. */
  findNumber(lid: string): Promise<string | null>;
  /** The LID of the address of a phone number, or null when it is not known. Does not ask the network. */
  findLid(pn: string): Promise<string | null>;
  /** The number as the customer writes it, if that differs from the digits of the network. */
  writtenNumber(digits: string): Promise<string>;
  /** By the user part of the LID: people who were reported without their number. */
  readonly hidden: StoredCache<true>;
  identified(identified: Identified): Promise<unknown>;
  me(): OwnAddresses;
  readonly log: DriverLog;
};

/** A new phone's history tells the numbers of all chats at once. Nobody was reported before it. */
const MOST_LEARNED_AT_ONCE = 50;

type Names = { readonly name: string | null; readonly username: string | null };

export class Senders {
  readonly #parts: SenderParts;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** `name` is the one of a business, whose stanza may have no other. Rejects as the store does. */
  async of(stanza: BinaryNode, name: string | null = null): Promise<Parties> {
    const { attrs } = stanza;
    const me = this.#parts.me();
    const { from = '' } = attrs;
    const author = isGroup(from) ? (attrs['participant'] ?? '') : from;
    const isOurs = isOwn(author, me);
    const isOwnAddress = (jid: string): boolean => isOwn(jid, me);
    const names = namesOf(stanza, name);
    if (isGroup(from)) {
      const person = isOurs ? null : await this.#person(author, alternativeOf(attrs, 'participant'), names);
      return { chat: { id: userOfJid(from), type: 'group' }, person, isOurs, isOwnAddress };
    }
    const person = isOurs
      ? await this.#person(attrs['recipient'] ?? from, alternativeOf(attrs, 'recipient'), recipientNames(stanza))
      : await this.#person(from, alternativeOf(attrs, 'sender'), names);
    return { chat: { id: person.userId, type: 'direct' }, person, isOurs, isOwnAddress };
  }

  /** Reports the numbers of people who were reported without. Never rejects: it is only told once more by a message. */
  async learned(pairs: readonly { readonly lid: string; readonly pn: string }[]): Promise<void> {
    if (pairs.length > MOST_LEARNED_AT_ONCE) return;
    try {
      for (const { lid, pn } of pairs) await this.#learnedOne(lidUserOf(lid), digitsOfPerson(pn));
    } catch (err) {
      this.#parts.log.warn({ err }, 'the number of a person could not be reported');
    }
  }

  async #learnedOne(lid: string | null, digits: string | null): Promise<void> {
    const { hidden, identified, writtenNumber } = this.#parts;
    if (lid === null || digits === null || (await hidden.recall(lid)) !== true) return;
    await identified({ userId: userIdOfLid(lid), phone: await writtenNumber(digits) });
    hidden.del(lid);
  }

  async #person(address: string, alternative: string | undefined, names: Names): Promise<Person> {
    const { findLid, findNumber, writtenNumber, hidden } = this.#parts;
    const told = [address, alternative];
    const number = told.map(digitsOfPerson).find((digits) => digits !== null) ?? null;
    const lid = told.map(lidUserOf).find((user) => user !== null) ?? null;
    const digits = number ?? (lid === null ? null : digitsOfPerson(await findNumber(`${lid}@lid`)));
    const user = lid ?? (number === null ? null : lidUserOf(await findLid(`${number}@s.whatsapp.net`)));
    const phone = digits === null ? null : await writtenNumber(digits);
    if (phone === null && user !== null && (await hidden.recall(user)) === undefined) hidden.set(user, true);
    const userId = user === null ? (phone ?? plainText(address, LONGEST_WORD)) : userIdOfLid(user);
    return { userId: userId ?? '', phone, ...names };
  }
}

function namesOf({ attrs }: BinaryNode, business: string | null): Names {
  const names = [attrs['notify'], attrs['display_name'], business].map((name) => plainText(name, LONGEST_WORD));
  return {
    name: names.find((name) => name !== null) ?? null,
    username: plainText(attrs['participant_username'] ?? attrs['username'], LONGEST_WORD),
  };
}

/** The stanza of a message that the owner sent has the owner's name, and only the username of the recipient. */
function recipientNames({ attrs }: BinaryNode): Names {
  const username = attrs['peer_recipient_username'] ?? attrs['recipient_username'];
  return { name: null, username: plainText(username, LONGEST_WORD) };
}

/** The other address of the person. Its attribute tells which kind it has. */
function alternativeOf(attrs: BinaryNode['attrs'], whose: 'sender' | 'participant' | 'recipient'): string | undefined {
  const prefixes = whose === 'recipient' ? ['peer_recipient', 'recipient'] : [whose];
  return prefixes.flatMap((prefix) => [attrs[`${prefix}_pn`], attrs[`${prefix}_lid`]]).find((jid) => jid !== undefined);
}
