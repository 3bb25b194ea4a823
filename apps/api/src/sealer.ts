import type { KeyObject } from 'node:crypto';
import type { Sealer } from '@kurir/database';
import { openEnvelope, sealEnvelope } from '@kurir/signing';

/** Seals what is kept at rest under the master key. */
export function createSealer(masterKey: KeyObject): Sealer {
  return {
    seal: (plain, aad) => sealEnvelope(masterKey, plain, aad),
    open(sealed, aad) {
      const plain = openEnvelope(masterKey, sealed, aad);
      if (plain === null)
        throw new Error('a sealed value cannot be opened: it is damaged, or KURIR_MASTER_KEY is another one');
      return plain;
    },
  };
}
