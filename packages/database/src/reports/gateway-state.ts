/** The state of the whole service, for metrics and operators. The cost of the queue grows with the messages that wait. */
import { type BroadcastState, type DeviceState, type Network, priorityRanks } from '@kurir/contracts';
import { needsOwner, shownState } from '../devices/device-condition.js';
import type { Database } from '../postgres/connect.js';

export type QueuePart = {
  readonly priority: number;
  /** `lane`: the message may go in turn. `waits`: for a time. */
  readonly place: 'lane' | 'waits';
  readonly messages: number;
};

export type GatewayState = {
  readonly queue: readonly QueuePart[];
  /** For each priority, the age of the first message in the lane of a connected device, at most. */
  readonly oldest: readonly { readonly priority: number; readonly seconds: number }[];
  readonly devices: readonly { readonly network: Network; readonly state: DeviceState; readonly devices: number }[];
  readonly devicesWanted: number;
  readonly workers: number;
  /** Devices that all live workers together can hold. */
  readonly capacity: number;
  readonly webhooks: readonly { readonly state: 'working' | 'failing' | 'disabled'; readonly webhooks: number }[];
  readonly retries: readonly { readonly state: 'overdue' | 'later' | 'failed'; readonly events: number }[];
  readonly broadcasts: readonly { readonly state: BroadcastState; readonly broadcasts: number }[];
  readonly databaseBytes: number;
  /** The age of the oldest transaction that writes; 0 without one. */
  readonly oldestTransactionSeconds: number;
  /** The time of Postgres. */
  readonly now: Date;
};

const queueStatement = `
  SELECT priority::int, 'lane' AS place, count(*)::int AS messages FROM messages
  WHERE stage = 0 AND waits_until IS NULL GROUP BY priority
  UNION ALL
  SELECT priority::int, 'waits', count(*)::int FROM messages
  WHERE stage = 0 AND waits_until IS NOT NULL GROUP BY priority`;

/** Looks at the first message of each lane. */
const oldestStatement = `
  SELECT p.priority::int, extract(epoch FROM now() - min(first.at))::float8 AS seconds
  FROM devices d JOIN device_leases l ON l.device_id = d.id AND l.expires_at > now()
  CROSS JOIN unnest(ARRAY[${Object.values(priorityRanks).join(', ')}]) AS p (priority)
  CROSS JOIN LATERAL (
    SELECT greatest(m.created_at, m.send_at) AS at FROM messages m
    WHERE m.device_id = d.id AND m.priority = p.priority AND m.stage = 0 AND m.waits_until IS NULL
      AND (m.expires_at IS NULL OR m.expires_at > now())
    ORDER BY m.seq LIMIT 1) first
  WHERE d.state = 'connected' GROUP BY p.priority`;

const deviceStatement = `
  SELECT d.network, ${shownState} AS state, count(*)::int AS devices, count(*) FILTER (WHERE ${needsOwner})::int AS wanted
  FROM devices d JOIN device_leases l ON l.device_id = d.id GROUP BY 1, 2`;

const webhookStatement = `
  SELECT CASE WHEN NOT w.enabled THEN 'disabled' WHEN r.failing_since IS NULL THEN 'working' ELSE 'failing' END AS state,
    count(*)::int AS webhooks
  FROM webhooks w LEFT JOIN webhook_readers r ON r.webhook_id = w.id
  WHERE w.enabled OR w.disabled_reason IS NOT NULL GROUP BY 1`;

/** Retries of a failing webhook wait for its next probe. */
const retryStatement = `
  SELECT CASE WHEN r.failed_at IS NOT NULL THEN 'failed'
              WHEN r.due_at < now() - interval '1 minute' AND w.enabled AND reader.failing_since IS NULL THEN 'overdue'
              ELSE 'later' END AS state, count(*)::int AS events
  FROM webhook_retries r JOIN webhooks w ON w.id = r.webhook_id JOIN webhook_readers reader ON reader.webhook_id = w.id
  GROUP BY 1`;

const serverStatement = `
  SELECT (SELECT count(*)::int FROM worker_processes WHERE expires_at > now()) AS workers,
    (SELECT coalesce(sum(capacity), 0)::int FROM worker_processes WHERE expires_at > now()) AS capacity,
    pg_database_size(current_database())::float8 AS bytes,
    (SELECT coalesce(extract(epoch FROM max(clock_timestamp() - xact_start)), 0)::float8 FROM pg_stat_activity
     WHERE datname = current_database() AND backend_xid IS NOT NULL) AS oldest,
    clock_timestamp() AS now`;

type DeviceRow = GatewayState['devices'][number] & { readonly wanted: number };
type ServerRow = { workers: number; capacity: number; bytes: number; oldest: number; now: Date };

/** The statements follow each other on one connection of the pool for lists. Rejects if Postgres is unavailable. */
export async function readGatewayState({ lists }: Pick<Database, 'lists'>): Promise<GatewayState> {
  const rowsOf = async <Row extends object>(text: string) => (await lists.query<Row>(text)).rows;
  const queue = await rowsOf<QueuePart>(queueStatement);
  const oldest = await rowsOf<GatewayState['oldest'][number]>(oldestStatement);
  const devices = await rowsOf<DeviceRow>(deviceStatement);
  const webhooks = await rowsOf<GatewayState['webhooks'][number]>(webhookStatement);
  const retries = await rowsOf<GatewayState['retries'][number]>(retryStatement);
  const broadcasts = await rowsOf<GatewayState['broadcasts'][number]>(
    'SELECT state, count(*)::int AS broadcasts FROM broadcasts GROUP BY state',
  );
  const [server] = await rowsOf<ServerRow>(serverStatement);
  if (server === undefined) throw new Error('a SELECT without FROM returned no row');
  return {
    queue,
    oldest,
    devices,
    devicesWanted: devices.reduce((sum, { wanted }) => sum + wanted, 0),
    workers: server.workers,
    capacity: server.capacity,
    webhooks,
    retries,
    broadcasts,
    databaseBytes: server.bytes,
    oldestTransactionSeconds: server.oldest,
    now: server.now,
  };
}
