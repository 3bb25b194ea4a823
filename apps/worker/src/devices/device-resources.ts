/** The resources that all devices of a worker use. `startWorker` builds them once. */
import type { DeviceId } from '@kurir/contracts';
import type {
  AccountKeys,
  Claimer,
  Contact,
  Database,
  GroupCommit,
  InboundWriter,
  OutcomeWriter,
  Sealer,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { QueueConnection } from '@kurir/queue';
import type { Drivers } from '../networks/network-in-use.js';
import type { ConnectGate } from './connecting/connect-gate.js';
import type { ReconnectDelay } from './connecting/reconnect-delay.js';

export type DeviceResources = {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly accountKeys: AccountKeys;
  readonly queue: QueueConnection;
  readonly laneConnection: ReturnType<QueueConnection['openForLanes']>;
  readonly claimer: Claimer;
  readonly outcomes: OutcomeWriter;
  readonly contactWriter: GroupCommit<Contact, void>;
  readonly inboundWriter: InboundWriter;
  readonly drivers: Drivers;
  readonly gate: ConnectGate;
  /** Creates the delay between the connections of one device. Default: the usual backoff. */
  readonly reconnectDelay?: () => ReconnectDelay;
  /** The network refused the client version of a device. The version is null if the driver did not say which. */
  readonly clientRefused?: (version: string | null) => void;
  /** Makes tickets for all messages of the device that are due. */
  readonly fillLane: (deviceId: DeviceId) => void;
  readonly log: Logger;
};
