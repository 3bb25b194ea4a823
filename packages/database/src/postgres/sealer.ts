import type { KeyObject } from 'node:crypto';
import { openEnvelope, sealEnvelope } from '@kurir/signing';

/** A record was damaged, moved to another one, or sealed under another key. */
export class RecordUnreadable extends Error {
  override readonly name = 'RecordUnreadable';
}

/** How secrets are kept at rest. */
export interface Sealer {
  seal(plain: Uint8Array, aad: string): Buffer;
  /** Throws `RecordUnreadable` when the value cannot be opened. */
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
        throw new RecordUnreadable(`record ${aad} cannot be opened: it is damaged, or KURIR_MASTER_KEY is another one`);
      return plain;
    },
  };
}
