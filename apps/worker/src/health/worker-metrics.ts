/** The metrics of this worker: its places, its leases, and its connections. */
import type { SettingsOf } from '@kurir/config';
import { type Database, readPoolUse } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import { metrics, type MetricsServer, serveMetrics, showProcess } from '@kurir/metrics';
import type { WorkerHealth } from './worker-health.js';

type Parts = {
  readonly database: Database;
  readonly log: Logger;
  readonly worker: { health(): Promise<WorkerHealth> };
};

async function showWorker({ database, worker }: Parts): Promise<void> {
  // Before the check, which takes a connection too.
  const connections = readPoolUse(database);
  const health = await worker.health();
  showProcess({
    connections,
    isDatabaseUp: health.database === 'up',
    isRedisUp: health.redis === 'up',
  });
  // Only a worker with the role `devices` has places.
  if (health.devices === undefined) return;
  metrics.heldDevices.show([[{}, health.devices.held]]);
  metrics.workerCapacity.show([[{}, health.devices.capacity]]);
  metrics.leasesStale.show([[{}, Number(health.leases === 'stale')]]);
}

/** Returns null if the settings ask for no metrics. */
export async function openMetrics(
  {
    KURIR_METRICS_PORT: port,
    KURIR_METRICS_TOKEN: token,
    KURIR_HOST: host,
  }: Pick<SettingsOf<'worker'>, 'KURIR_METRICS_PORT' | 'KURIR_METRICS_TOKEN' | 'KURIR_HOST'>,
  parts: Parts,
): Promise<MetricsServer | null> {
  if (port === undefined) return null;
  const served = await serveMetrics({ program: 'worker', host, port, token, refresh: () => showWorker(parts) });
  parts.log.info({ port: served.port }, 'metrics listening');
  return served;
}
