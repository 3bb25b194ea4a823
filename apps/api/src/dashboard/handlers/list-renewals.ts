import { listRenewals as readPage } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { showRenewal } from '../../handlers/get-renewal.js';

export const listRenewals: DashboardHandler<'listRenewals'> = async ({ visitor, query }, { database }) => {
  const page = await readPage(database, visitor.membership.accountId, query);
  return { renewals: page.rows.map(showRenewal), next_cursor: page.nextCursor };
};
