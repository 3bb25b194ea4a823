/**
 * AES-256-GCM. A box consists of: header (the version, 1 byte), nonce (12), ciphertext (as long as the plaintext), tag
 * (16). The tag covers the header and the associated data. Nonces are random, so one key may seal at most 2^32 boxes (NIST SP
 * 800-38D, 8.3). Records that are written often go into an envelope, which has its own key each time.
 */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;
const boxHeader = Buffer.of(1);

/** How many bytes a box is longer than its header and its plaintext. */
export const boxOverheadBytes = nonceBytes + tagBytes;

const associatedData = (header: Uint8Array, aad: string) => Buffer.concat([header, Buffer.from(aad, 'utf8')]);

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

/**
 * `seal` with another header. It begins with a version of its own, so that a box of one kind never opens as another.
 * Only for this package.
 */
export function sealAs(
  header: Uint8Array,
  key: KeyObject,
  plaintext: string | Uint8Array,
  aad: string,
): Buffer<ArrayBuffer> {
  const nonce = drawNonce();
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(associatedData(header, aad));
  const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext, 'utf8') : plaintext;
  const ciphertext = cipher.update(bytes);
  // GCM has no last block, so `final` returns nothing.
  cipher.final();
  return Buffer.concat([header, nonce, ciphertext, cipher.getAuthTag()]);
}

/** The counterpart of `sealAs`. Only for this package. */
export function openAs(
  header: Uint8Array,
  key: KeyObject,
  sealed: Uint8Array,
  aad: string,
): Buffer<ArrayBuffer> | null {
  const body = sealed.subarray(header.length);
  if (body.length < boxOverheadBytes || !Buffer.from(header).equals(sealed.subarray(0, header.length))) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(associatedData(header, aad));
  decipher.setAuthTag(body.subarray(-tagBytes));
  const plaintext = decipher.update(body.subarray(nonceBytes, -tagBytes));
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
  return sealAs(boxHeader, key, plaintext, aad);
}

/**
 * Returns the plaintext. Returns null if the box does not open: another key, another aad or damaged bytes. Throws only
 * if the key is not 32 bytes, as `seal` does.
 */
export function open(key: KeyObject, sealed: Uint8Array, aad: string): Buffer<ArrayBuffer> | null {
  return openAs(boxHeader, key, sealed, aad);
}
