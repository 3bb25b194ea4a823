import { readAccountDetail } from '@kurir/database/operators';
import type { Handler } from '../../operations/operation-request.js';
import { noSuchAccount } from './require-account.js';

export const adminShowAccount: Handler<'adminShowAccount'> = async ({ params }, { database }) => {
  const detail = await readAccountDetail(database, params.account_id);
  if (detail === null) throw noSuchAccount();
  return {
    members: [...detail.members],
    devices: detail.devices.map((device) => ({
      device_id: device.id,
      name: device.name,
      network: device.network,
      state: device.state,
      state_reason: device.stateReason,
      state_detail: device.stateDetail,
      last_connected_at: device.lastConnectedAt?.toISOString() ?? null,
      pace_per_minute: device.pacePerMinute,
      new_contacts_per_day: device.newContactsPerDay,
      waiting: device.waiting,
    })),
    device_count: detail.deviceCount,
    max_devices: detail.maxDevices,
    api_keys: detail.apiKeys,
    webhooks: detail.webhooks,
    messages_24h: [...detail.messages24h],
  };
};
