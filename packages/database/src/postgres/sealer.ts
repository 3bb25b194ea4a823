import { type Keys, openEnvelope, rewrapEnvelope, sealEnvelope, showKeyId } from '@kurir/signing';

/** A record was damaged, was moved to another record, or was sealed under another key. */
export class RecordUnreadable extends Error {
  override readonly name = 'RecordUnreadable';
}

/** Seals secrets for storage. */
export interface Sealer {
  /** The id of the key that seals. */
  readonly keyId: string;
  /** The ids of all keys that open. */
  readonly keyIds: readonly string[];
  seal(plain: Uint8Array, aad: string): Buffer;
  /** Throws `RecordUnreadable` if the value cannot be opened. */
  open(sealed: Uint8Array, aad: string): Buffer;
  /** Returns the value under the key that seals. Returns null if no key opens it. */
  rewrap(sealed: Uint8Array<ArrayBuffer>, aad: string): Uint8Array<ArrayBuffer> | null;
}

/**
 * Envelope encryption under the master keys. Each record has its own data key and is bound to its `aad`. The first key
 * seals; all of them open.
 */
export function createSealer(...keys: Keys): Sealer {
  const keyIds = keys.map(showKeyId);
  return {
    keyId: showKeyId(keys[0]),
    keyIds,
    seal: (plain, aad) => sealEnvelope(keys[0], plain, aad),
    open(sealed, aad) {
      const plain = openEnvelope(keys, sealed, aad);
      // The AAD names the record with ids only, so that an operator can find it.
      if (plain === null)
        throw new RecordUnreadable(`record ${aad} cannot be opened: it is damaged, or KURIR_MASTER_KEY is another one`);
      return plain;
    },
    rewrap: (sealed, aad) => rewrapEnvelope(keys, sealed, aad),
  };
}
