import { listAccountOverviews } from '@kurir/database';
import type { Handler } from '../../operations/operation-request.js';
import { showAccountRow } from './show-account-row.js';

export const adminListAccounts: Handler<'adminListAccounts'> = async ({ query }, { database }) => {
  const page = await listAccountOverviews(database, query);
  return { accounts: page.rows.map(showAccountRow), next_cursor: page.nextCursor };
};
