import type { OperationData } from '@kurir/contracts/dashboard';
import type { AccountOverviewRow } from '@kurir/database';

export const showAccountRow = (row: AccountOverviewRow): OperationData<'adminGrantPeriod'> => ({
  account_id: row.id,
  name: row.name,
  created_at: row.createdAt.toISOString(),
  members: row.members,
  devices: row.devices,
  connected_devices: row.connectedDevices,
  plan: row.plan,
  expiry_date: row.expiresAt?.toISOString() ?? null,
  messages_24h: row.messages24h,
  suspended_at: row.suspendedAt?.toISOString() ?? null,
  suspended_reason: row.suspendedReason,
});
