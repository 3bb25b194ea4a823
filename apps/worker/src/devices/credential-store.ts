import {
  type Database,
  eraseCredentialKinds,
  type Holder,
  readCredentials,
  RecordUnreadable,
  type Sealer,
  writeCredentials,
} from '@kurir/database';
import { CredentialsUnreadable, type ErasableCredentials } from '@kurir/network';

/** The database's word for a row that cannot be opened becomes the drivers' one. */
function translate(error: unknown): never {
  if (!(error instanceof RecordUnreadable)) throw error;
  throw new CredentialsUnreadable(error.message, { cause: error });
}

/** A driver's memory of one device in Postgres, sealed, guarded by the holder's epoch. */
export function createCredentialStore(database: Database, sealer: Sealer, holder: Holder): ErasableCredentials {
  return {
    read: (kind, ids) => readCredentials(database, sealer, holder.deviceId, kind, ids).catch(translate),
    write: (changes) => writeCredentials(database, sealer, holder, changes),
    eraseKinds: (kinds) => eraseCredentialKinds(database, holder, kinds),
  };
}
