/**
 * Seals what a phone writes, with the phone's identity: for its own companions, and for those of others. The phone only
 * begins sessions, because nobody opens what companions send to it. So each of its messages carries what a new session
 * needs.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { SenderKeyManager, SignalProtocol } from 'zapo-js/signal';
import type { Account, Device } from '../devices/account.js';
import { addressSeenBy } from '../devices/address.js';
import { writeSenderKey } from '../wire/letter-protobuf.js';
import { memoryStore } from './memory-store.js';
import { type Stanza, stanza, timestamp } from '../wire/stanza.js';

type Voice = {
  readonly signal: SignalProtocol;
  readonly groups: SenderKeyManager;
  /** Names of the devices with which a session has begun. */
  readonly begun: Set<string>;
};

const longestPadding = 16;
const voices = new WeakMap<Account, Promise<Voice>>();

/** Sends the companion a message of its own phone. Returns the message's id. */
export async function sayTo(companion: Device, message: Uint8Array): Promise<string> {
  const { account } = companion;
  const sealed = await sealFor(account, companion, message);
  const id = randomBytes(10).toString('hex').toUpperCase();
  const from = addressSeenBy(account, account);
  const attrs = { id, from, type: 'text', category: 'peer', t: timestamp(), notify: account.pushName };
  companion.deliver(stanza('message', attrs, [sealed]));
  return id;
}

/** `isAgain`: the device could not open the last one, so a new session begins. */
export async function sealFor(
  writer: Account,
  reader: Device,
  plaintext: Uint8Array,
  { isAgain = false, count }: { readonly isAgain?: boolean; readonly count?: string } = {},
): Promise<Stanza> {
  const { signal, begun } = await voiceOf(writer);
  const address = { user: reader.account.lid, server: 'lid', device: reader.id };
  if (isAgain || !begun.has(reader.name)) {
    begun.add(reader.name);
    await signal.establishOutgoingSession(address, bundleOf(reader), { reuseExisting: !isAgain });
  }
  const { type, ciphertext } = await signal.encryptMessage(address, padded(plaintext));
  return stanza('enc', { v: '2', type, ...(count === undefined ? {} : { count }) }, ciphertext);
}

/** Seals for a whole group. The reader needs the writer's key of the group, which comes sealed for the reader alone. */
export async function sealForGroup(
  writer: Account,
  reader: Device,
  group: string,
  plaintext: Uint8Array,
): Promise<readonly Stanza[]> {
  const { groups } = await voiceOf(writer);
  const sender = { user: writer.lid, server: 'lid', device: 0 };
  const sealed = await groups.prepareGroupEncryption(group, sender, padded(plaintext));
  const content = stanza('enc', { v: '2', type: 'skmsg' }, sealed.ciphertext.ciphertext);
  const address = { user: reader.account.lid, server: 'lid', device: reader.id };
  const missing = await groups.filterParticipantsNeedingDistribution(group, sealed.keyId, [address]);
  if (missing.length === 0) return [content];
  await groups.markSenderKeyDistributed(group, sealed.keyId, missing);
  return [await sealFor(writer, reader, writeSenderKey(sealed.distributionMessage)), content];
}

/** The message that brings a reader the writer's key of the group. */
export async function groupKeyOf(writer: Account, group: string): Promise<Uint8Array> {
  const { groups } = await voiceOf(writer);
  const sender = { user: writer.lid, server: 'lid', device: 0 };
  const { distributionMessage } = await groups.prepareGroupEncryption(group, sender, new Uint8Array());
  return writeSenderKey(distributionMessage);
}

function voiceOf(account: Account): Promise<Voice> {
  const known = voices.get(account);
  if (known) return known;
  const voice = openVoice(account);
  voices.set(account, voice);
  return voice;
}

async function openVoice(account: Account): Promise<Voice> {
  const stores = memoryStore().session(account.number);
  const phone = account.devices.get(0);
  if (!phone) throw new Error(`${account.number} has no phone`);
  const registrationId = Buffer.from(phone.registration.registrationId).readUInt32BE();
  await stores.signal.setRegistrationInfo({ registrationId, identityKeyPair: account.identity });
  return { signal: new SignalProtocol(stores), groups: new SenderKeyManager(stores.senderKey), begun: new Set() };
}

function bundleOf({ registration, signedPreKey, oneTimePreKeys }: Device): Bundle {
  const oneTime = oneTimePreKeys.shift();
  return {
    regId: Buffer.from(registration.registrationId).readUInt32BE(),
    identity: registration.identityKey,
    signedKey: { id: keyId(signedPreKey.id), publicKey: signedPreKey.value, signature: signedPreKey.signature },
    ...(oneTime ? { oneTimeKey: { id: keyId(oneTime.id), publicKey: oneTime.value } } : {}),
  };
}

type Bundle = Parameters<SignalProtocol['establishOutgoingSession']>[1];

function keyId(written: Uint8Array): number {
  return Buffer.from(written).readUIntBE(0, written.length);
}

/** Adds padding. Each byte of it is the number of added bytes. */
function padded(plaintext: Uint8Array): Uint8Array {
  const length = randomInt(1, longestPadding + 1);
  return Buffer.concat([plaintext, Buffer.alloc(length, length)]);
}
