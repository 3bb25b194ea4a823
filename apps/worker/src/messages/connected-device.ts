/** One connection of a device, as its lane and its receipts see it. `DeviceConnection` builds it once. */
import type { Claimer, OutcomeWriter } from '@kurir/database';
import type { DeviceLease } from '../leases/device-lease.js';
import type { Clock } from './clock.js';
import type { ContactNotes } from './contact-notes.js';
import type { TypingBeforeText } from './typing-before-text.js';

export type ConnectedDevice = {
  readonly lease: DeviceLease;
  readonly claimer: Claimer;
  readonly outcomes: OutcomeWriter;
  readonly contacts: ContactNotes;
  readonly typing: TypingBeforeText;
  readonly clock: Clock;
  /** Whether the socket can still carry messages. */
  isConnected(): boolean;
  /** Makes tickets for all messages of the device that are due. */
  requestTickets(): void;
};

/** Whether the lane may begin another try. A device that is handed over receives reports until its socket closes. */
export const maySend = (device: ConnectedDevice): boolean => device.isConnected() && !device.lease.isEnding;
