import { type Database, type Holder, readCredentials, type Sealer, writeCredentials } from '@kurir/database';
import type { CredentialStore } from '@kurir/network';

/** A driver's memory of one device in Postgres, sealed, guarded by the holder's epoch. */
export function createCredentialStore(database: Database, sealer: Sealer, holder: Holder): CredentialStore {
  return {
    read: (kind, ids) => readCredentials(database, sealer, holder.deviceId, kind, ids),
    write: (changes) => writeCredentials(database, sealer, holder, changes),
  };
}
