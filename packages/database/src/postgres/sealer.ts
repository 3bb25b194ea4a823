import type { KeyObject } from 'node:crypto';
import { openEnvelope, sealEnvelope } from '@kurir/signing';

/** A record was damaged, was moved to another record, or was sealed under another key. */
export class RecordUnreadable extends Error {
  override readonly name = 'RecordUnreadable';
}

/** Seals secrets for storage. */
export interface Sealer {
  seal(plain: Uint8Array, aad: string): Buffer;
  /** Throws `RecordUnreadable` if the value cannot be opened. */
  open(sealed: Uint8Array, aad: string): Buffer;
}

/** Envelope encryption under the master key. Each record has its own data key and is bound to its `aad`. */
export function createSealer(masterKey: KeyObject): Sealer {
  return {
    seal: (plain, aad) => sealEnvelope(masterKey, plain, aad),
    open(sealed, aad) {
      const plain = openEnvelope(masterKey, sealed, aad);
      // The AAD names the record with ids only, so that an operator can find it.
      if (plain === null)
        throw new RecordUnreadable(`record ${aad} cannot be opened: it is damaged, or KURIR_MASTER_KEY is another one`);
      return plain;
    },
  };
}
