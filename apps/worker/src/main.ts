/** The worker: loads settings, opens resources, starts, and closes in reverse order when told to stop. */
import { InvalidSettings, loadSettings } from '@kurir/config';
import { createSealer, findDurabilityFaults, keepPlansFresh, noteCluster, openDatabase } from '@kurir/database';
import { createLogger } from '@kurir/logging';
import { createSimulatorDriver } from '@kurir/network-simulator';
import { createWhatsappDriver } from '@kurir/network-whatsapp';
import { connectQueue, findRedisFaults } from '@kurir/queue';
import { openWebVersions } from './open-web-versions.js';
import { serveHealth } from './serve-health.js';
import { startWorker } from './start-worker.js';
import { findBrokenOrder, stopMs } from './time-limits.js';
import { showVersionInUse } from './web-versions.js';

async function run(): Promise<void> {
  const settings = loadSettings('worker');
  const log = createLogger({ name: 'worker', level: settings.KURIR_LOG_LEVEL, pretty: settings.KURIR_LOG_PRETTY });
  const database = openDatabase({
    url: settings.DATABASE_URL,
    poolSize: 10,
    onError: (err) => log.warn({ err }, 'database connection lost'),
  });
  const plans = keepPlansFresh(database, { onError: (err) => log.warn({ err }, 'sizes of tables not read') });
  const queue = connectQueue({
    url: settings.REDIS_URL,
    prefix: settings.KURIR_QUEUE_PREFIX,
    internalKey: settings.KURIR_INTERNAL_KEY,
    onError: (err) => log.debug({ err }, 'redis connection trouble'),
  });
  if (await noteCluster(database)) log.warn('the database was restored: the log of events begins a generation');
  const faults = [
    ...(await findDurabilityFaults(database)),
    ...(await findRedisFaults(queue).catch(() => [] as string[])),
  ];
  if (faults.length > 0 && settings.NODE_ENV === 'production') throw new InvalidSettings(faults);
  for (const fault of faults) log.warn({ fault }, 'not safe for production');

  const { KURIR_SIMULATOR_URL: simulatorUrl, KURIR_ACK_TIMEOUT_MS: ackTimeoutMs } = settings;
  for (const fault of findBrokenOrder({ ackTimeoutMs })) log.warn({ fault }, 'time limits out of order');
  const simulator = simulatorUrl === undefined ? null : createSimulatorDriver({ url: simulatorUrl, ackTimeoutMs });
  const webVersions = await openWebVersions(settings, database, log.child({ network: 'whatsapp' }));
  const whatsapp = createWhatsappDriver({
    webSocketUrl: settings.KURIR_WHATSAPP_URL,
    ...(settings.KURIR_WHATSAPP_ROOT_KEY === undefined ? {} : { noiseRootKey: settings.KURIR_WHATSAPP_ROOT_KEY }),
    version: () => webVersions.current(),
    ackTimeoutMs,
    queryTimeoutMs: ackTimeoutMs,
    privateProxies: settings.KURIR_PROXY_PRIVATE_ADDRESSES,
    log: log.child({ network: 'whatsapp' }),
  });
  const worker = startWorker({
    database,
    queue,
    log,
    sealer: createSealer(settings.KURIR_MASTER_KEY),
    drivers: { whatsapp, simulator },
    capacity: settings.KURIR_WORKER_CAPACITY,
    retention: { messageDays: settings.KURIR_RETENTION_DAYS, textHours: settings.KURIR_TEXT_RETENTION_HOURS },
    webVersions,
  });
  const health = await serveHealth({
    host: settings.KURIR_HOST,
    port: settings.KURIR_HEALTH_PORT,
    check: () => worker.check(),
    details: () => ({ whatsapp_version: showVersionInUse(webVersions.inUse) }),
  });
  log.info({ port: health.port }, 'listening');

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    // Whatever hangs, the leases run out by themselves: better gone than half alive.
    setTimeout(() => process.exit(1), stopMs).unref();
    try {
      await worker.stop();
      health.server.close();
      await queue.close();
      plans.stop();
      await database.close();
    } catch (err) {
      // Postgres may be stopping at the same time.
      log.warn({ err }, 'stopped without giving everything back; the leases run out');
    }
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
}

run().catch((error: unknown) => {
  console.error(error instanceof InvalidSettings ? error.message : error);
  process.exit(1);
});
