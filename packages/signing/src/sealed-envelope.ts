/**
 * Seals a record with its own data key. A master key seals the data key. An envelope begins with a header: version (1
 * byte, 3), id of the master key (4), salt (16). The wrapped data key (60 bytes) follows. It opens with a key that is
 * derived from the master key and the salt. The body follows, a box that opens with the data key.
 *
 * So a change of the master key replaces the first 81 bytes only, whatever the size of the body. Each wrap has its own
 * derived key, so the number of envelopes under one master key has no limit in practice.
 *
 * An envelope of version 2 has no id and no salt. The master key itself seals its data key.
 */
import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { keyIdBytes, keyIdOf, type Keys } from './keys.js';
import { boxOverheadBytes, open, openAs, seal, sealAs } from './sealed-box.js';

const version = 3;
const saltBytes = 16;
const dataKeyBytes = 32;
const headerBytes = 1 + keyIdBytes + saltBytes;
const wrapBytes = boxOverheadBytes + dataKeyBytes;
const oldHeader = Buffer.of(2);

const isOld = (envelope: Uint8Array) => envelope[0] === oldHeader[0];
const wrappedBytes = (envelope: Uint8Array) => wrapBytes + (isOld(envelope) ? oldHeader.length : headerBytes);

function wrappingKey(masterKey: KeyObject, header: Uint8Array): KeyObject {
  const salt = header.subarray(1 + keyIdBytes);
  return createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, salt, 'kurir/wrap/v3', 32)));
}

function wrap(masterKey: KeyObject, dataKey: Uint8Array, aad: string): Buffer<ArrayBuffer> {
  const header = Buffer.concat([Buffer.of(version), keyIdOf(masterKey), randomBytes(saltBytes)]);
  return sealAs(header, wrappingKey(masterKey, header), dataKey, aad);
}

/** Whether the envelope says that this key wraps it. */
export function isUnderKey(masterKey: KeyObject, envelope: Uint8Array): boolean {
  return envelope[0] === version && keyIdOf(masterKey).equals(envelope.subarray(1, 1 + keyIdBytes));
}

function unwrapWith(masterKey: KeyObject, envelope: Uint8Array, aad: string): Buffer<ArrayBuffer> | null {
  const wrapped = envelope.subarray(0, wrappedBytes(envelope));
  if (isOld(envelope)) return openAs(oldHeader, masterKey, wrapped, aad);
  if (!isUnderKey(masterKey, envelope)) return null;
  const header = envelope.subarray(0, headerBytes);
  return openAs(header, wrappingKey(masterKey, header), wrapped, aad);
}

function unwrap(keys: Keys, envelope: Uint8Array, aad: string): Buffer<ArrayBuffer> | null {
  for (const key of keys) {
    const dataKey = unwrapWith(key, envelope, aad);
    if (dataKey !== null) return dataKey;
  }
  return null;
}

/** Seals with a new data key. `aad` is as in `seal`. The result is 110 bytes longer than the plaintext. */
export function sealEnvelope(masterKey: KeyObject, plaintext: string | Uint8Array, aad: string): Buffer<ArrayBuffer> {
  const dataKey = randomBytes(dataKeyBytes);
  const body = seal(createSecretKey(dataKey), plaintext, aad);
  return Buffer.concat([wrap(masterKey, dataKey, aad), body]);
}

/** Returns the plaintext. Returns null if no key opens the envelope: other keys, another aad or damaged bytes. */
export function openEnvelope(keys: Keys, envelope: Uint8Array, aad: string): Buffer<ArrayBuffer> | null {
  const dataKey = unwrap(keys, envelope, aad);
  return dataKey && open(createSecretKey(dataKey), envelope.subarray(wrappedBytes(envelope)), aad);
}

/**
 * Returns the same envelope under the first key. It neither reads nor changes the body. If the first key already wraps
 * the envelope, it returns it unchanged. So a rotation that died half-way can run again. Returns null if no key opens it.
 */
export function rewrapEnvelope(
  keys: Keys,
  envelope: Uint8Array<ArrayBuffer>,
  aad: string,
): Uint8Array<ArrayBuffer> | null {
  const dataKey = unwrap(keys, envelope, aad);
  if (dataKey === null || isUnderKey(keys[0], envelope)) return dataKey && envelope;
  return Buffer.concat([wrap(keys[0], dataKey, aad), envelope.subarray(wrappedBytes(envelope))]);
}
