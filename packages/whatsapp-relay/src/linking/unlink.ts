import type { Device } from '../devices/account.js';
import { announceDevice } from '../people/device-list.js';
import type { Switchboard } from '../switchboard/switchboard.js';
import { streamEndStanza } from '../wire/stream-end.js';

/** Removes the device from its account. Its connection is told and closed. */
export function unlink(board: Switchboard, device: Device, by: 'companion' | 'phone'): void {
  device.account.devices.delete(device.id);
  board.journal.record({ kind: 'unlinked', device: device.name, by });
  device.connection?.end(streamEndStanza('device-removed'));
  announceDevice(board, device, 'remove');
}
