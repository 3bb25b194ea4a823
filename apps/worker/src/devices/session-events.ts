/** Step 8, receipt: commits each report of a session before the driver acknowledges it to the network. */
import { reportReceipt } from '@kurir/database';
import type { SessionEvents } from '@kurir/network';
import type { ConnectedDevice } from '../messages/connected-device.js';
import { retryWrite } from '../messages/retry-write.js';
import { createLimitsStore } from './limits-store.js';

export function createSessionEvents(
  device: ConnectedDevice,
  { connected, ended }: Pick<SessionEvents, 'connected' | 'ended'>,
): SessionEvents {
  return {
    connected,
    acknowledged: ({ networkMessageId }) => storeReport(device, networkMessageId, 'sent'),
    receipt: ({ networkMessageId, status }) => storeReport(device, networkMessageId, status),
    inbound: async ({ networkMessageId, person }) => {
      if (person === null) return;
      await device.contacts.noteSender(person.phone ?? person.userId);
      device.lease.log.info({ networkMessageId }, 'message received');
    },
    limits: createLimitsStore(device.lease),
    ended,
  };
}

/**
 * Retries until Postgres has the report, because the network repeats it only on the next connection. The contact is
 * committed first: after a crash between the two, the recipient still counts as known.
 */
async function storeReport(
  device: ConnectedDevice,
  networkMessageId: string,
  status: 'sent' | 'delivered' | 'read',
): Promise<void> {
  const report = { deviceId: device.lease.deviceId, networkMessageId, status };
  const write = () =>
    device.contacts.noteRecipientOf(networkMessageId).then(() => reportReceipt(device.outcomes, report));
  await retryWrite(device, () => device.isConnected(), write, { networkMessageId });
}
