/** The imports of this worker, one at a time. */
import type { AccountKeys, Database } from '@kurir/database';
import { endImport, type ImportView, releaseImport, renewImport, takeImport } from '@kurir/database/contacts';
import type { Logger } from '@kurir/logging';
import { startLeasedWork } from '../sweep/leased-work.js';
import { runImport } from './run-import.js';

export type ImportsOptions = {
  readonly owner: string;
  readonly database: Database;
  readonly accountKeys: AccountKeys;
  readonly log: Logger;
};

/** Returns the function that gives the import back and ends. */
export function startImports({ database, accountKeys, owner, log }: ImportsOptions): () => Promise<void> {
  const leaseOf = ({ id }: ImportView) => ({ importId: id, owner });
  return startLeasedWork<ImportView>(
    {
      name: 'import',
      take: () => takeImport(database, owner),
      renew: (given) => renewImport(database, leaseOf(given)),
      run: (given, signal) => runImport({ database, accountKeys, given, owner, signal }),
      fail: (given) => endImport(database, leaseOf(given), { problem: 'internal_error', row: null }),
      release: (given) => releaseImport(database, leaseOf(given)),
      about: ({ accountId, id, lastRow }) => ({ accountId, importId: id, row: lastRow }),
    },
    log,
  );
}
