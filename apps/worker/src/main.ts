/** The worker's program: loads settings, opens resources, starts the worker, and closes in reverse order on a signal. */
import {
  explainListenFailure,
  InvalidSettings,
  loadSettings,
  oldNodeWarning,
  redisAddress,
  type SettingsOf,
} from '@kurir/config';
import {
  admitMasterKey,
  createSealer,
  type Database,
  findConnectionFaults,
  findDurabilityFaults,
  keepMasterKeyAdmitted,
  keepPlansFresh,
  noteCluster,
  openDatabase,
  type Sealer,
} from '@kurir/database';
import { createLogger, type Logger } from '@kurir/logging';
import { createSimulatorDriver } from '@kurir/network-simulator';
import { createWhatsappDriver } from '@kurir/network-whatsapp';
import { connectQueue, findRedisFaults, findWrongRedis, type QueueConnection } from '@kurir/queue';
import { startTracing, type Tracing } from '@kurir/tracing';
import type { Drivers } from './networks/network-in-use.js';
import { openWebVersions } from './networks/open-web-versions.js';
import { serveHealth } from './health/serve-health.js';
import { openMetrics } from './health/worker-metrics.js';
import { startWorker } from './start-worker.js';
import { findBrokenOrder, stopMs } from './leases/time-limits.js';
import { showVersionInUse, type WebVersions } from './networks/web-versions.js';

type WorkerSettings = SettingsOf<'worker'>;

type Resources = { readonly database: Database; readonly queue: QueueConnection; readonly log: Logger };

/**
 * Throws if this Redis cannot be used, and in production also if the settings of Postgres or Redis may lose stored data.
 * Elsewhere it warns of them.
 */
async function checkDurability(settings: WorkerSettings, { database, queue, log }: Resources): Promise<void> {
  const ofConnection = await findConnectionFaults(database);
  if (ofConnection.length > 0) throw new InvalidSettings(ofConnection);
  if (await noteCluster(database)) log.warn('the database was restored: the log of events begins a generation');
  const [wrongRedis, ofRedis, ofPostgres] = await Promise.all([
    findWrongRedis(queue).catch(() => []),
    findRedisFaults(queue).catch(() => []),
    findDurabilityFaults(database),
  ]);
  if (wrongRedis.length > 0) throw new InvalidSettings(wrongRedis);
  const faults = [...ofPostgres, ...ofRedis];
  if (faults.length > 0 && settings.NODE_ENV === 'production') throw new InvalidSettings(faults);
  for (const fault of faults) log.warn({ fault }, 'not safe for production');
  for (const fault of findBrokenOrder({ ackTimeoutMs: settings.KURIR_ACK_TIMEOUT_MS }))
    log.warn({ fault }, 'time limits out of order');
}

/** Throws if the database holds records under a key that the sealer lacks. Returns the function that ends the checks. */
async function admitSealer(sealer: Sealer, database: Database, log: Logger): Promise<() => void> {
  const faults = await admitMasterKey(database, sealer);
  if (faults.length > 0) throw new InvalidSettings(faults);
  return keepMasterKeyAdmitted(database, sealer, {
    onFault: (fault) => log.error({ fault }, 'the master key is not right'),
    onError: (err) => log.warn({ err }, 'use of the master key not noted'),
  });
}

/** Without the role `devices`. */
const noDrivers: Drivers = { whatsapp: null, simulator: null };

function createDrivers(settings: WorkerSettings, webVersions: WebVersions, log: Logger): Drivers {
  const { KURIR_SIMULATOR_URL: simulatorUrl, KURIR_ACK_TIMEOUT_MS: ackTimeoutMs } = settings;
  const simulator = simulatorUrl === undefined ? null : createSimulatorDriver({ url: simulatorUrl, ackTimeoutMs });
  const whatsapp = createWhatsappDriver({
    webSocketUrl: settings.KURIR_WHATSAPP_URL,
    ...(settings.KURIR_WHATSAPP_ROOT_KEY === undefined ? {} : { noiseRootKey: settings.KURIR_WHATSAPP_ROOT_KEY }),
    version: () => webVersions.current(),
    ackTimeoutMs,
    queryTimeoutMs: ackTimeoutMs,
    privateProxies: settings.KURIR_PROXY_PRIVATE_ADDRESSES,
    log: log.child({ network: 'whatsapp' }),
  });
  return { whatsapp, simulator };
}

function stopOnSignals(log: Logger, close: () => Promise<void>): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    // If the stop hangs, the process exits and its leases expire. A worker that hangs could neither send nor release its devices.
    setTimeout(() => process.exit(1), stopMs).unref();
    try {
      await close();
    } catch (err) {
      // Postgres may be stopping at the same time.
      log.warn({ err }, 'stopped without giving everything back; the leases run out');
    }
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
}

const openTracing = (settings: WorkerSettings, log: Logger): Promise<Tracing> =>
  startTracing({
    program: 'worker',
    endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS,
    share: settings.OTEL_TRACES_SAMPLER_ARG,
    instance: settings.KURIR_INSTANCE,
    onLost: (spans, err) => log.warn({ err, spans }, 'spans not exported'),
  });

async function run(): Promise<void> {
  const settings = loadSettings('worker');
  const log = createLogger({ name: 'worker', level: settings.KURIR_LOG_LEVEL, pretty: settings.KURIR_LOG_PRETTY });
  const oldNode = oldNodeWarning();
  if (oldNode !== null) log.warn(oldNode);
  const database = openDatabase({
    url: settings.DATABASE_URL,
    poolSize: settings.KURIR_DATABASE_CONNECTIONS,
    pooler: settings.KURIR_DATABASE_POOLER,
    application: 'kurir worker',
    onError: (err) => log.warn({ err }, 'database connection lost'),
  });
  const plans = keepPlansFresh(database, { onError: (err) => log.warn({ err }, 'sizes of tables not read') });
  const queue = connectQueue({
    ...redisAddress(settings),
    prefix: settings.KURIR_QUEUE_PREFIX,
    internalKeys: settings.KURIR_INTERNAL_KEY,
    onError: (err) => log.debug({ err }, 'redis connection trouble'),
  });
  await checkDurability(settings, { database, queue, log });
  const tracing = await openTracing(settings, log);
  const sealer = createSealer(...settings.KURIR_MASTER_KEY);
  const stopAdmitting = await admitSealer(sealer, database, log);
  const roles = settings.KURIR_WORKER_ROLES;
  const webVersions = roles.includes('devices')
    ? await openWebVersions(settings, database, log.child({ network: 'whatsapp' }))
    : undefined;
  const worker = startWorker({
    roles,
    database,
    queue,
    log,
    sealer,
    drivers: webVersions === undefined ? noDrivers : createDrivers(settings, webVersions, log),
    capacity: settings.KURIR_WORKER_CAPACITY,
    retention: {
      messageDays: settings.KURIR_RETENTION_DAYS,
      textHours: settings.KURIR_TEXT_RETENTION_HOURS,
      contactDays: settings.KURIR_CONTACT_RETENTION_DAYS,
      eventDays: settings.KURIR_EVENTS_RETENTION_DAYS,
    },
    webhookAddresses: settings.KURIR_WEBHOOK_PRIVATE_ADDRESSES,
    webVersions,
  });
  const health = await serveHealth({
    host: settings.KURIR_HOST,
    port: settings.KURIR_HEALTH_PORT,
    instance: settings.KURIR_INSTANCE,
    read: () => worker.health(),
    details: () => (webVersions === undefined ? {} : { whatsapp_version: showVersionInUse(webVersions.inUse) }),
  });
  log.info({ port: health.port }, 'listening');
  const metricsServer = await openMetrics(settings, { database, log, worker });

  stopOnSignals(log, async () => {
    await worker.stop();
    health.server.close();
    metricsServer?.close();
    await queue.close();
    plans.stop();
    stopAdmitting();
    await Promise.all([database.close(), tracing.stop()]);
  });
}

/** Returns a plain message for errors that an operator can correct, and the error itself otherwise. */
function explain(error: unknown): unknown {
  if (error instanceof InvalidSettings) return error.message;
  return explainListenFailure(error, ['KURIR_HEALTH_PORT', 'KURIR_METRICS_PORT', 'KURIR_HOST']) ?? error;
}

run().catch((error: unknown) => {
  console.error(explain(error));
  process.exit(1);
});
