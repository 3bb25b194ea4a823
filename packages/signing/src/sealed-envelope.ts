/**
 * Seals a record with its own data key. The master key seals the data key. An envelope is two boxes:
 *
 *   wrapped data key (61 bytes, version 2)   opens with the master key
 *   body             (any,      version 1)   opens with the data key
 *
 * So a change of the master key replaces the first 61 bytes only, whatever the size of the body.
 */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { boxOverheadBytes, open, openAs, seal, sealAs } from './sealed-box.js';

const wrapVersion = 2;
const dataKeyBytes = 32;
const wrappedBytes = boxOverheadBytes + dataKeyBytes;

function unwrap(masterKey: KeyObject, envelope: Uint8Array, aad: string): Buffer<ArrayBuffer> | null {
  return openAs(wrapVersion, masterKey, envelope.subarray(0, wrappedBytes), aad);
}

/** Seals with a new data key. `aad` is as in `seal`. The result is 90 bytes longer than the plaintext. */
export function sealEnvelope(masterKey: KeyObject, plaintext: string | Uint8Array, aad: string): Buffer<ArrayBuffer> {
  const dataKey = randomBytes(dataKeyBytes);
  const body = seal(createSecretKey(dataKey), plaintext, aad);
  return Buffer.concat([sealAs(wrapVersion, masterKey, dataKey, aad), body]);
}

/** Returns the plaintext. Returns null if the envelope does not open: another key, another aad or damaged bytes. */
export function openEnvelope(masterKey: KeyObject, envelope: Uint8Array, aad: string): Buffer<ArrayBuffer> | null {
  const dataKey = unwrap(masterKey, envelope, aad);
  return dataKey && open(createSecretKey(dataKey), envelope.subarray(wrappedBytes), aad);
}

/**
 * Returns the same envelope under the master key `to`. It neither reads nor changes the body. If `to` already opens the
 * envelope, it returns it unchanged. So a rotation that died half-way can run again. Returns null if neither key opens
 * it.
 */
export function rewrapEnvelope(
  from: KeyObject,
  to: KeyObject,
  envelope: Uint8Array<ArrayBuffer>,
  aad: string,
): Uint8Array<ArrayBuffer> | null {
  if (unwrap(to, envelope, aad)) return envelope;
  const dataKey = unwrap(from, envelope, aad);
  return dataKey && Buffer.concat([sealAs(wrapVersion, to, dataKey, aad), envelope.subarray(wrappedBytes)]);
}
