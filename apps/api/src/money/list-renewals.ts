import { listRenewals as readPage } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { showRenewal } from './show-renewal.js';

export const listRenewals: Handler<'listRenewals'> = async ({ caller, query }, { database }) => {
  const page = await readPage(database, caller.accountId, query);
  return { renewals: page.rows.map(showRenewal), next_cursor: page.nextCursor };
};
