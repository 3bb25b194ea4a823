/**
 * A phone writes to the companions of others, without a client: to a number, or to a group in which that number is.
 * The companions of its own account get copies of what the owner writes elsewhere. A companion that cannot open a message gets
 * it again, sealed anew.
 */
import { randomBytes } from 'node:crypto';
import type { Account, Device } from '../devices/account.js';
import { meet } from '../devices/account-limits.js';
import { addressSeenBy, otherAddress, serverOf } from '../devices/address.js';
import { type Letter, writeLetter, writeOwnLetter } from '../wire/letter-protobuf.js';
import { type ReadByPhone, writeResent } from '../wire/phone-protobuf.js';
import { child, type Stanza, stanza, timestamp } from '../wire/stanza.js';
import { groupKeyOf, sayTo, sealFor, sealForGroup } from './phone-voice.js';

export type LetterOptions = {
  /** The digits of a group. The message then goes to this group instead of a direct chat. */
  readonly group?: string;
  /** The companions cannot open the message until they ask for it again. */
  readonly unreadable?: boolean;
  /**
   * The companions get the message without a content, as from an advertisement. Their own phone has it, and tells them
   * when they ask.
   */
  readonly throughPhone?: boolean;
  /** The companions never get the content, for this reason. View-once messages have `view_once_unavailable_fanout`. */
  readonly withheld?: string;
  /** The id of an earlier message: the same one comes again. */
  readonly id?: string;
};

type Sent = {
  readonly plaintext: Uint8Array;
  readonly attrs: Readonly<Record<string, string>>;
  readonly group?: string;
};

const mostRemembered = 1_000;
const sealedBytes = 64;
/** By writer, then by message id. */
const sent = new WeakMap<Account, Map<string, Sent>>();

/** By reader: messages that only the phone has read. */
const readByPhone = new WeakMap<Account, readonly ReadByPhone[]>();

/** Resolves with the message's id when the companions of the reader have it, or will get it at their next login. */
export async function write(
  writer: Account,
  reader: Account,
  letter: Letter,
  options: LetterOptions = {},
): Promise<string> {
  const { group, throughPhone = false, id = newId() } = options;
  const plaintext = writeLetter(letter);
  const common = { id, t: timestamp(), type: letter.kind === 'file' ? 'media' : 'text', notify: writer.pushName };
  const author = authorOf(writer, reader, group);
  const attrs = { ...common, ...author };
  meet(writer, reader);
  remember(writer, id, { plaintext, attrs, ...(group === undefined ? {} : { group }) });
  for (const device of companionsOf(reader)) {
    device.deliver(stanza('message', attrs, await contentFor(writer, device, plaintext, options)));
  }
  const read = { key: { id, remoteJid: author['from'], fromMe: false }, message: plaintext };
  if (throughPhone) readByPhone.set(reader, [...(readByPhone.get(reader) ?? []), read]);
  return id;
}

/** A companion asks its own phone for messages that it got without a content. */
export async function tellRead(companion: Device): Promise<void> {
  const read = readByPhone.get(companion.account) ?? [];
  readByPhone.delete(companion.account);
  if (read.length > 0) await sayTo(companion, writeResent(read));
}

/** The owner of the account writes to somebody with the phone. Its companions get a copy. Returns the message's id. */
export async function writeElsewhere(
  owner: Account,
  to: Account,
  letter: Letter,
  { id = newId() }: Pick<LetterOptions, 'id'> = {},
): Promise<string> {
  const recipient = addressSeenBy(owner, to);
  const plaintext = writeOwnLetter(recipient, letter);
  const attrs = {
    id,
    t: timestamp(),
    type: letter.kind === 'file' ? 'media' : 'text',
    notify: owner.pushName,
    from: addressSeenBy(owner, owner),
    recipient,
    ...otherAddress(owner, to, 'peer_recipient'),
  };
  meet(owner, to);
  remember(owner, id, { plaintext, attrs });
  for (const device of companionsOf(owner)) {
    device.deliver(stanza('message', attrs, [await sealFor(owner, device, plaintext)]));
  }
  return id;
}

/** A companion could not open a message of this writer. Does nothing if the phone did not write it. */
export async function writeAgain(writer: Account, reader: Device, retry: Stanza): Promise<void> {
  const letter = sent.get(writer)?.get(retry.attrs['id'] ?? '');
  if (!letter) return;
  const count = child(retry, 'retry')?.attrs['count'] ?? '1';
  // A group's message comes again for one reader, with the writer's key of the group.
  const key = letter.group === undefined ? Buffer.alloc(0) : await groupKeyOf(writer, `${letter.group}@g.us`);
  // Two protobuf messages in a row are one with the fields of both.
  const plaintext = Buffer.concat([letter.plaintext, key]);
  const sealed = await sealFor(writer, reader, plaintext, { isAgain: true, count });
  reader.deliver(stanza('message', letter.attrs, [sealed]));
}

async function contentFor(
  writer: Account,
  reader: Device,
  plaintext: Uint8Array,
  { group, unreadable = false, throughPhone = false, withheld }: LetterOptions,
): Promise<readonly Stanza[]> {
  if (withheld !== undefined) return [stanza('unavailable', { type: withheld })];
  if (throughPhone) return [stanza('unavailable')];
  if (unreadable) return [rubbish(group)];
  if (group !== undefined) return sealForGroup(writer, reader, `${group}@g.us`, plaintext);
  return [await sealFor(writer, reader, plaintext)];
}

function authorOf(writer: Account, reader: Account, group: string | undefined): Record<string, string> {
  const address = addressSeenBy(reader, writer);
  const { username } = writer;
  if (group === undefined) {
    return { from: address, ...otherAddress(reader, writer, 'sender'), ...(username === null ? {} : { username }) };
  }
  const mode = serverOf(reader) === 'lid' || writer.hidesNumber ? 'lid' : 'pn';
  const named = username === null ? {} : { participant_username: username };
  const participant = { participant: address, ...otherAddress(reader, writer, 'participant'), ...named };
  return { from: `${group}@g.us`, addressing_mode: mode, ...participant };
}

const companionsOf = ({ devices }: Account): readonly Device[] => [...devices.values()].filter(({ id }) => id !== 0);

function rubbish(group: string | undefined): Stanza {
  return stanza('enc', { v: '2', type: group === undefined ? 'msg' : 'skmsg' }, randomBytes(sealedBytes));
}

function remember(writer: Account, id: string, letter: Sent): void {
  const letters = sent.get(writer) ?? new Map<string, Sent>();
  sent.set(writer, letters.set(id, letter));
  const [oldest] = letters.keys();
  if (letters.size > mostRemembered && oldest !== undefined) letters.delete(oldest);
}

function newId(): string {
  return randomBytes(10).toString('hex').toUpperCase();
}
