/**
 * AES-256-GCM. A box consists of: version (1 byte), nonce (12), ciphertext (as long as the plaintext), tag (16). The
 * tag covers the version and the associated data. Nonces are random, so one key may seal at most 2^32 boxes (NIST SP
 * 800-38D, 8.3). Records that are written often go into an envelope, which has its own key each time.
 */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;
const boxVersion = 1;

/** How many bytes a box is longer than its plaintext. */
export const boxOverheadBytes = 1 + nonceBytes + tagBytes;

/** The version byte, then the text. Versions are below 128. */
function associatedData(version: number, aad: string): Buffer {
  return Buffer.from(String.fromCharCode(version) + aad, 'utf8');
}

/**
 * One system call draws the random bytes of this many nonces. A nonce is a copy, so that a box does not keep the block.
 */
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

/** `seal` with another version byte, so that a box of one kind never opens as another. Only for this package. */
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
  // GCM has no last block, so `final` returns nothing.
  cipher.final();
  return Buffer.concat([Buffer.of(version), nonce, ciphertext, cipher.getAuthTag()]);
}

/** The counterpart of `sealAs`. Only for this package. */
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
    // `final` throws only if the tag does not match. A wrong key, another aad and damage look alike by design.
    return null;
  }
}

/**
 * Encrypts and authenticates. `aad` says what the box belongs to (for a secret: account, key id, version). `open` needs
 * the same `aad`. Throws a RangeError if the key is not 32 bytes.
 */
export function seal(key: KeyObject, plaintext: string | Uint8Array, aad: string): Buffer<ArrayBuffer> {
  return sealAs(boxVersion, key, plaintext, aad);
}

/**
 * Returns the plaintext. Returns null if the box does not open: another key, another aad or damaged bytes. Throws only
 * if the key is not 32 bytes, as `seal` does.
 */
export function open(key: KeyObject, sealed: Uint8Array, aad: string): Buffer<ArrayBuffer> | null {
  return openAs(boxVersion, key, sealed, aad);
}
