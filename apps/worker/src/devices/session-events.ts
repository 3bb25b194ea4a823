/** Step 8, receipt: commits each report of a session before the driver acknowledges it to the network. */
import { reportReceipt } from '@kurir/database';
import type { SessionEvents } from '@kurir/network';
import type { ConnectedDevice } from '../messages/connected-device.js';
import type { InboundNotes } from '../conversations/inbound-notes.js';
import { retryWrite } from '../messages/retry-write.js';
import { noteReceipt } from '../messages/trace-message.js';
import { createLimitsStore } from './limits-store.js';

export function createSessionEvents(
  device: ConnectedDevice,
  inbound: InboundNotes,
  { connected, ended }: Pick<SessionEvents, 'connected' | 'ended'>,
): SessionEvents {
  return {
    connected,
    acknowledged: ({ networkMessageId }) => storeReport(device, networkMessageId, 'sent'),
    receipt: ({ networkMessageId, status }) => storeReport(device, networkMessageId, status),
    inbound: async (report) => {
      const { networkMessageId, kind } = report;
      await keepTrying(device, () => inbound.store(report), { networkMessageId });
      device.lease.log.info({ networkMessageId, kind }, 'message received');
    },
    identified: (identified) => keepTrying(device, () => inbound.store({ kind: 'identified', ...identified }), {}),
    limits: createLimitsStore(device.lease),
    ended,
  };
}

/** Retries until Postgres has the report, because the network repeats it only on the next connection. */
const keepTrying = <T>(device: ConnectedDevice, write: () => Promise<T>, about: object): Promise<T> =>
  retryWrite(device, () => device.isConnected(), write, about);

/** The contact is committed first: after a crash between the two, the recipient still counts as known. */
async function storeReport(
  device: ConnectedDevice,
  networkMessageId: string,
  status: 'sent' | 'delivered' | 'read',
): Promise<void> {
  const startedAt = Date.now();
  const { deviceId } = device.lease;
  const report = { deviceId, networkMessageId, status };
  const write = () =>
    device.contacts.noteRecipientOf(networkMessageId).then(() => reportReceipt(device.outcomes, report));
  noteReceipt(await keepTrying(device, write, { networkMessageId }), { deviceId, status, startedAt });
}
