/** The resources of a worker, which its roles share. */
import type { AddressPolicy } from '@kurir/address-guard';
import type { WorkerRole } from '@kurir/config';
import type { WorkerId } from '@kurir/contracts';
import type { AccountKeys, Database, Sealer } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { QueueConnection } from '@kurir/queue';
import type { ReconnectDelay } from '../devices/connecting/reconnect-delay.js';
import type { Drivers } from '../networks/network-in-use.js';
import type { WebVersions } from '../networks/web-versions.js';
import type { Retention } from '../sweep/housekeeping.js';

export type WorkerParts = {
  readonly roles: readonly WorkerRole[];
  readonly database: Database;
  readonly sealer: Sealer;
  readonly queue: QueueConnection;
  readonly drivers: Drivers;
  readonly capacity: number;
  readonly retention: Retention;
  /** Which addresses webhooks may have. */
  readonly webhookAddresses: AddressPolicy;
  /** The versions of WhatsApp's client, which the worker keeps up to date. Left out if no driver uses them. */
  readonly webVersions?: WebVersions | undefined;
  /** Creates the delay between the connections of one device. Default: the usual backoff. */
  readonly reconnectDelay?: () => ReconnectDelay;
  readonly log: Logger;
};

export type RoleParts = WorkerParts & { readonly owner: WorkerId; readonly accountKeys: AccountKeys };
