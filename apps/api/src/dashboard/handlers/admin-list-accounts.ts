import type { DashboardData } from '@kurir/contracts/dashboard';
import { type AccountOverviewRow, listAccountOverviews } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';

export const showAccountRow = (row: AccountOverviewRow): DashboardData<'adminGrantPeriod'> => ({
  account_id: row.id,
  name: row.name,
  created_at: row.createdAt.toISOString(),
  members: row.members,
  devices: row.devices,
  connected_devices: row.connectedDevices,
  plan: row.plan,
  expiry_date: row.expiresAt?.toISOString() ?? null,
  messages_24h: row.messages24h,
});

export const adminListAccounts: DashboardHandler<'adminListAccounts'> = async ({ query }, { database }) => {
  const page = await listAccountOverviews(database, query);
  return { accounts: page.rows.map(showAccountRow), next_cursor: page.nextCursor };
};
