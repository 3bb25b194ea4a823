import type { KeyObject } from 'node:crypto';
import { openEnvelope, sealEnvelope } from '@kurir/signing';

/** How secrets are kept at rest. */
export interface Sealer {
  seal(plain: Uint8Array, aad: string): Buffer;
  /** Throws when the value was damaged, moved to another record, or sealed under another key. */
  open(sealed: Uint8Array, aad: string): Buffer;
}

/** Envelope encryption under the master key: a data key of its own per record, bound to the record by `aad`. */
export function createSealer(masterKey: KeyObject): Sealer {
  return {
    seal: (plain, aad) => sealEnvelope(masterKey, plain, aad),
    open(sealed, aad) {
      const plain = openEnvelope(masterKey, sealed, aad);
      // The AAD names the record (ids only), so that an operator can find it.
      if (plain === null)
        throw new Error(`record ${aad} cannot be opened: it is damaged, or KURIR_MASTER_KEY is another one`);
      return plain;
    },
  };
}
