/**
 * The state of the whole service, read from Postgres. Each api shows all of it, so a query takes the maximum over the
 * apis. The values are absent while Postgres cannot be read.
 */
import type { BroadcastState, DeviceState, MessagePriority, Network } from '@kurir/contracts';
import { gauge, type NoLabels } from './instruments.js';

const from = 'api';

export const gatewayGauges = {
  queuedMessages: gauge<{ priority: MessagePriority; place: 'lane' | 'waits' }>({
    name: 'kurir_queued_messages',
    help: 'Accepted messages that were not sent yet. `lane`: they may go in turn. `waits`: for a time, such as `send_at` or a retry.',
    labels: ['priority', 'place'],
    from,
  }),

  oldestInLane: gauge<{ priority: MessagePriority }>({
    name: 'kurir_oldest_in_lane_seconds',
    help: 'Age of the first message in the lane of a connected device, at most. Zero if none waits.',
    labels: ['priority'],
    from,
  }),

  devices: gauge<{ network: Network; state: DeviceState }>({
    name: 'kurir_devices',
    help: 'Devices by network and state.',
    labels: ['network', 'state'],
    from,
  }),

  devicesWanted: gauge<NoLabels>({
    name: 'kurir_devices_wanted',
    help: 'Devices that a worker should hold.',
    labels: [],
    from,
  }),

  devicesUnheld: gauge<NoLabels>({
    name: 'kurir_devices_unheld',
    help: 'Devices that no worker has held for 30 seconds.',
    labels: [],
    from,
  }),

  workers: gauge<NoLabels>({
    name: 'kurir_workers',
    help: 'Workers that are alive.',
    labels: [],
    from,
  }),

  capacity: gauge<NoLabels>({
    name: 'kurir_capacity_devices',
    help: 'Devices that all live workers together can hold.',
    labels: [],
    from,
  }),

  webhooks: gauge<{ state: 'working' | 'failing' | 'disabled' }>({
    name: 'kurir_webhooks',
    help: 'Webhooks by state. `disabled`: Kurir disabled them because they failed for too long.',
    labels: ['state'],
    from,
  }),

  webhookRetries: gauge<{ state: 'overdue' | 'later' | 'failed' }>({
    name: 'kurir_webhook_retries',
    help: 'Events that a webhook did not take. `overdue`: a retry that should have gone a minute ago. `failed`: no tries are left.',
    labels: ['state'],
    from,
  }),

  broadcasts: gauge<{ state: BroadcastState }>({
    name: 'kurir_broadcasts',
    help: 'Broadcasts by state.',
    labels: ['state'],
    from,
  }),

  databaseBytes: gauge<NoLabels>({
    name: 'kurir_database_bytes',
    help: 'The size of the database.',
    labels: [],
    from,
  }),

  oldestTransaction: gauge<NoLabels>({
    name: 'kurir_oldest_transaction_seconds',
    help: 'Age of the oldest transaction that writes. The feed and the webhooks wait for it.',
    labels: [],
    from,
  }),

  clockSkew: gauge<NoLabels>({
    name: 'kurir_clock_skew_seconds',
    help: 'The clock of this api minus the clock of Postgres. Signatures are compared with the clock of the api.',
    labels: [],
    from,
  }),
};
