import { messagePriorities, type MessagePriority } from '@kurir/contracts';
import type { OperationData } from '@kurir/contracts/dashboard';
import { countWaitingDevices, type GatewayState, readGatewayState, readWhatsappVersions } from '@kurir/database';
import { version } from '@kurir/metrics';
import { readRedisMemory, type QueueConnection } from '@kurir/queue';
import type { Handler } from '../operations/operation-request.js';
import { readReadiness } from '../pages/readiness.js';
import { unheldAfterMs } from './gateway-metrics.js';

type Gateway = OperationData<'adminShowGateway'>;

function showQueue({ queue, oldest }: GatewayState): Gateway['queue'] {
  const messagesAt = (priority: MessagePriority, place: 'lane' | 'waits') =>
    queue.find((part) => messagePriorities[part.priority] === priority && part.place === place)?.messages ?? 0;
  return messagePriorities.map((priority) => ({
    priority,
    in_lanes: messagesAt(priority, 'lane'),
    waiting: messagesAt(priority, 'waits'),
    oldest_seconds: oldest.find((part) => messagePriorities[part.priority] === priority)?.seconds ?? null,
  }));
}

const webhooksIn = ({ webhooks }: GatewayState, state: GatewayState['webhooks'][number]['state']): number =>
  webhooks.find((part) => part.state === state)?.webhooks ?? 0;

const retriesIn = ({ retries }: GatewayState, state: GatewayState['retries'][number]['state']): number =>
  retries.find((part) => part.state === state)?.events ?? 0;

async function showRedis(queue: QueueConnection, state: Gateway['redis']['state']): Promise<Gateway['redis']> {
  const memory = state === 'down' ? null : await readRedisMemory(queue).catch(() => null);
  return { state, used_bytes: memory?.used ?? null, max_bytes: memory?.max ?? null };
}

export const adminShowGateway: Handler<'adminShowGateway'> = async (_request, api) => {
  const { database, queue } = api;
  const [state, unheld, { current }, { redis }] = await Promise.all([
    readGatewayState(database),
    countWaitingDevices(database, unheldAfterMs),
    readWhatsappVersions(database),
    readReadiness(api),
  ]);
  return {
    version,
    whatsapp_version:
      current === null
        ? null
        : { version: current.version, source: current.source, first_seen_at: current.firstSeenAt.toISOString() },
    workers: state.workers,
    capacity: state.capacity,
    devices_wanted: state.devicesWanted,
    devices_unheld: unheld,
    devices: state.devices.map(({ network, state: is, devices }) => ({ network, state: is, devices })),
    queue: showQueue(state),
    webhooks: {
      working: webhooksIn(state, 'working'),
      failing: webhooksIn(state, 'failing'),
      disabled: webhooksIn(state, 'disabled'),
    },
    webhook_retries: {
      overdue: retriesIn(state, 'overdue'),
      later: retriesIn(state, 'later'),
      failed: retriesIn(state, 'failed'),
    },
    broadcasts: [...state.broadcasts],
    database_bytes: state.databaseBytes,
    oldest_transaction_seconds: state.oldestTransactionSeconds,
    clock_skew_seconds: (Date.now() - state.now.getTime()) / 1_000,
    redis: await showRedis(queue, redis),
  };
};
