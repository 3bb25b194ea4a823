/**
 * AES-256-GCM. A box is: version (1 byte), nonce (12), ciphertext (as long as the plaintext), tag (16).
 * The version is authenticated with the associated data. Nonces are random, so one key may seal at most 2^32 boxes
 * (NIST SP 800-38D, 8.3); what is written often goes into an envelope, which has a key of its own each time.
 */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;
const boxVersion = 1;

/** What a box adds to the length of its plaintext. */
export const boxOverheadBytes = 1 + nonceBytes + tagBytes;

/** The version byte, then the text: versions are below 128. */
function associatedData(version: number, aad: string): Buffer {
  return Buffer.from(String.fromCharCode(version) + aad, 'utf8');
}

/** Randomness is drawn in blocks: one system call for 256 nonces. A nonce is a copy, so that no box keeps its block. */
const noncesInBlock = 256;
let block = randomBytes(0);
let used = 0;

function drawNonce(): Buffer {
  if (used === block.length) {
    block = randomBytes(noncesInBlock * nonceBytes);
    used = 0;
  }
  const nonce = Buffer.from(block.subarray(used, used + nonceBytes));
  used += nonceBytes;
  return nonce;
}

/** `seal` under another version byte: a box of one kind never opens as another. Not exported from the package. */
export function sealAs(
  version: number,
  key: KeyObject,
  plaintext: string | Uint8Array,
  aad: string,
): Buffer<ArrayBuffer> {
  const nonce = drawNonce();
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(associatedData(version, aad));
  const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext, 'utf8') : plaintext;
  const ciphertext = cipher.update(bytes);
  // GCM has no last block: `final` returns nothing.
  cipher.final();
  return Buffer.concat([Buffer.of(version), nonce, ciphertext, cipher.getAuthTag()]);
}

/** The counterpart of `sealAs`. Not exported from the package. */
export function openAs(version: number, key: KeyObject, sealed: Uint8Array, aad: string): Buffer<ArrayBuffer> | null {
  if (sealed.length < boxOverheadBytes || sealed[0] !== version) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(associatedData(version, aad));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  const plaintext = decipher.update(sealed.subarray(1 + nonceBytes, -tagBytes));
  try {
    return Buffer.concat([plaintext, decipher.final()]);
  } catch {
    // `final` throws for one reason only: the tag does not fit. Wrong key, other aad and damage look alike by design.
    return null;
  }
}

/**
 * Encrypts and authenticates. `aad` says what the box belongs to (for a secret: account, key id, version) and is needed
 * again to open it. Throws a RangeError when the key is not 32 bytes.
 */
export function seal(key: KeyObject, plaintext: string | Uint8Array, aad: string): Buffer<ArrayBuffer> {
  return sealAs(boxVersion, key, plaintext, aad);
}

/**
 * The plaintext, or null when the box cannot be opened: another key, another aad, damage, rubbish.
 * Throws only when the key is not 32 bytes, as `seal` does.
 */
export function open(key: KeyObject, sealed: Uint8Array, aad: string): Buffer<ArrayBuffer> | null {
  return openAs(boxVersion, key, sealed, aad);
}
