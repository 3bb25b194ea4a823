import type { LinkedDevice } from '../people/linked-devices.js';
import type { Wire } from './wire.js';

/** The live connection of one device, as the exchange sees it. */
export interface LiveSession {
  readonly device: LinkedDevice;
  readonly wire: Wire;
  /** The fields by which a journal entry names the device, its epoch and its socket. */
  readonly origin: { readonly device_id: string; readonly epoch: string; readonly socket: number };
  /** Sends each event of the device's outbox that is ready. */
  pump(): void;
}
