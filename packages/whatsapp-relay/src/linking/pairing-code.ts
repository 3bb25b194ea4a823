/**
 * The phone's side of linking by an eight-character code. Each side sends a fresh X25519 key, encrypted under the code
 * (PBKDF2, AES-CTR). The companion then sends its identity and a secret under the shared key (HKDF, AES-GCM). With a
 * wrong code the keys differ and the bundle does not open.
 * Layout of a key: salt 32, counter 16, key 32. Layout of the bundle: salt 32, nonce 12, companion key 32, primary key
 * 32, random 32, tag 16.
 */
import { createCipheriv, createDecipheriv, hkdfSync, pbkdf2Sync, randomBytes } from 'node:crypto';
import { type SignalKeyPair, X25519 } from 'zapo-js/crypto';

const pbkdf2Rounds = 131_072;
const keyBytes = 32;
const saltEnd = 32;
const counterEnd = 48;
const nonceEnd = 44;
const tagBytes = 16;
const empty = Buffer.alloc(0);

/** The keys between the typing of a code and the bundle of the companion. */
export type PairingKeys = { readonly ephemeral: SignalKeyPair; readonly companionEphemeral: Uint8Array };

export function openCompanionKey(code: string, wrapped: Buffer): Buffer {
  const key = codeKey(code, wrapped.subarray(0, saltEnd));
  return countedCipher(key, wrapped.subarray(saltEnd, counterEnd), wrapped.subarray(counterEnd, counterEnd + keyBytes));
}

export function wrapPrimaryKey(code: string, publicKey: Uint8Array): Buffer {
  const salt = randomBytes(saltEnd);
  const counter = randomBytes(counterEnd - saltEnd);
  return Buffer.concat([salt, counter, countedCipher(codeKey(code, salt), counter, publicKey)]);
}

/** The secret that authenticates the device identity. Rejects if the code was wrong. */
export async function openAdvSecret(
  keys: PairingKeys,
  primaryIdentity: SignalKeyPair,
  companionIdentity: Uint8Array,
  bundle: Buffer,
): Promise<Buffer> {
  const shared = await X25519.scalarMult(keys.ephemeral.privKey, keys.companionEphemeral);
  const info = 'link_code_pairing_key_bundle_encryption_key';
  const key = Buffer.from(hkdfSync('sha256', shared, bundle.subarray(0, saltEnd), info, keyBytes));
  const decipher = createDecipheriv('aes-256-gcm', key, bundle.subarray(saltEnd, nonceEnd));
  decipher.setAuthTag(bundle.subarray(-tagBytes));
  const plain = Buffer.concat([decipher.update(bundle.subarray(nonceEnd, -tagBytes)), decipher.final()]);
  const identities = await X25519.scalarMult(primaryIdentity.privKey, companionIdentity);
  const secret = Buffer.concat([shared, identities, plain.subarray(2 * keyBytes, 3 * keyBytes)]);
  return Buffer.from(hkdfSync('sha256', secret, empty, 'adv_secret', keyBytes));
}

function codeKey(code: string, salt: Uint8Array): Buffer {
  return pbkdf2Sync(code, salt, pbkdf2Rounds, keyBytes, 'sha256');
}

/** AES-CTR encrypts and decrypts with the same operation. */
function countedCipher(key: Buffer, counter: Uint8Array, data: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-ctr', key, counter);
  return Buffer.concat([cipher.update(data), cipher.final()]);
}
