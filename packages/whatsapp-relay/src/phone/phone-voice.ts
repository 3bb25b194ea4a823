/**
 * Messages of a phone to its own companions, sealed with the phone's identity. The phone only begins sessions, because
 * nobody opens what companions send to it. So each of its messages carries what a new session needs.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { SignalProtocol } from 'zapo-js/signal';
import type { Account, Device } from '../devices/account.js';
import { addressSeenBy } from '../devices/address.js';
import { memoryStore } from './memory-store.js';
import { type Stanza, stanza, timestamp } from '../wire/stanza.js';

const longestPadding = 16;
const voices = new WeakMap<Account, Promise<SignalProtocol>>();

/** Sends the companion a message of its own phone. Returns the message's id. */
export async function sayTo(companion: Device, message: Uint8Array): Promise<string> {
  const sealed = await sealFor(companion, message);
  const { account } = companion;
  const id = randomBytes(10).toString('hex').toUpperCase();
  const from = addressSeenBy(account, account);
  const attrs = { id, from, type: 'text', category: 'peer', t: timestamp(), notify: account.pushName };
  companion.deliver(stanza('message', attrs, [sealed]));
  return id;
}

async function sealFor(companion: Device, plaintext: Uint8Array): Promise<Stanza> {
  const voice = await voiceOf(companion.account);
  const address = { user: companion.account.lid, server: 'lid', device: companion.id };
  await voice.establishOutgoingSession(address, bundleOf(companion), { reuseExisting: true });
  const { type, ciphertext } = await voice.encryptMessage(address, padded(plaintext));
  return stanza('enc', { v: '2', type }, ciphertext);
}

function voiceOf(account: Account): Promise<SignalProtocol> {
  const known = voices.get(account);
  if (known) return known;
  const voice = openVoice(account);
  voices.set(account, voice);
  return voice;
}

async function openVoice(account: Account): Promise<SignalProtocol> {
  const stores = memoryStore().session(account.number);
  const phone = account.devices.get(0);
  if (!phone) throw new Error(`${account.number} has no phone`);
  const registrationId = Buffer.from(phone.registration.registrationId).readUInt32BE();
  await stores.signal.setRegistrationInfo({ registrationId, identityKeyPair: account.identity });
  return new SignalProtocol(stores);
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
