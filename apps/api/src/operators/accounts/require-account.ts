import { ApiError } from '@kurir/contracts';
import { type AccountOverviewRow, type Database, listAccountOverviews } from '@kurir/database';

export const noSuchAccount = (): ApiError =>
  new ApiError('ACCOUNT_NOT_FOUND', 'There is no account with this id. Choose one from the list of accounts.');

/** Rejects with `ACCOUNT_NOT_FOUND`. */
export async function requireAccount(database: Database, accountId: string): Promise<AccountOverviewRow> {
  const { rows } = await listAccountOverviews(database, { search: null, limit: 1, cursor: null, accountId });
  const [account] = rows;
  if (account !== undefined) return account;
  throw noSuchAccount();
}
