import {
  type Database,
  eraseCredentialKinds,
  type LeaseToken,
  readCredentials,
  RecordUnreadable,
  type Sealer,
  writeCredentials,
} from '@kurir/database';
import { CredentialsUnreadable, type ErasableCredentials } from '@kurir/network';

/** Drivers know only their own error for a row that cannot be opened. */
function translate(error: unknown): never {
  if (!(error instanceof RecordUnreadable)) throw error;
  throw new CredentialsUnreadable(error.message, { cause: error });
}

/** The credentials of one device, sealed in Postgres. Writes reject once the lease of `token` is lost. */
export function createCredentialStore(database: Database, sealer: Sealer, token: LeaseToken): ErasableCredentials {
  return {
    read: (kind, ids) => readCredentials(database, sealer, token.deviceId, kind, ids).catch(translate),
    write: (changes) => writeCredentials(database, sealer, token, changes),
    eraseKinds: (kinds) => eraseCredentialKinds(database, token, kinds),
  };
}
