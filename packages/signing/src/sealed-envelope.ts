/**
 * A record under a key of its own, which lies beside it sealed by the master key. An envelope is two boxes:
 *
 *   wrapped data key (61 bytes, version 2)   opens with the master key
 *   body             (any,      version 1)   opens with the data key
 *
 * So the master key changes by replacing the first 61 bytes, whatever the body's size.
 */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { boxOverheadBytes, open, openAs, seal, sealAs } from './sealed-box.js';

const wrapVersion = 2;
const dataKeyBytes = 32;
const wrappedBytes = boxOverheadBytes + dataKeyBytes;

function unwrap(masterKey: KeyObject, envelope: Uint8Array, aad: string): Buffer<ArrayBuffer> | null {
  return openAs(wrapVersion, masterKey, envelope.subarray(0, wrappedBytes), aad);
}

/** Seals under a new data key. `aad` as in `seal`; the result is 90 bytes longer than the plaintext. */
export function sealEnvelope(masterKey: KeyObject, plaintext: string | Uint8Array, aad: string): Buffer<ArrayBuffer> {
  const dataKey = randomBytes(dataKeyBytes);
  const body = seal(createSecretKey(dataKey), plaintext, aad);
  return Buffer.concat([sealAs(wrapVersion, masterKey, dataKey, aad), body]);
}

/** The plaintext, or null when it cannot be opened: another key, another aad, damage, rubbish. */
export function openEnvelope(masterKey: KeyObject, envelope: Uint8Array, aad: string): Buffer<ArrayBuffer> | null {
  const dataKey = unwrap(masterKey, envelope, aad);
  return dataKey && open(createSecretKey(dataKey), envelope.subarray(wrappedBytes), aad);
}

/**
 * The same envelope under the master key `to`; the body is neither read nor changed. One that `to` already opens is
 * given back as it is, so a rotation that died half-way is simply run again. Null when neither key opens it.
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
