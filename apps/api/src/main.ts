/** The api program: reads the settings, starts the api and stops it on a signal. */
import { explainListenFailure, InvalidSettings, loadSettings } from '@kurir/config';
import { createLogger } from '@kurir/logging';
import { startTracing } from '@kurir/tracing';
import { UnsafeSurroundings } from './check-surroundings.js';
import { startApi } from './start-api.js';

/** The process exits so long after the time for draining, even if the shutdown hangs. */
const stopWithinMs = 10_000;

async function main(): Promise<void> {
  const settings = loadSettings('api');
  const logger = createLogger({ name: 'api', level: settings.KURIR_LOG_LEVEL, pretty: settings.KURIR_LOG_PRETTY });
  const tracing = await startTracing({
    program: 'api',
    endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS,
    share: settings.OTEL_TRACES_SAMPLER_ARG,
    instance: settings.KURIR_INSTANCE,
    onLost: (spans, err) => logger.warn({ err, spans }, 'spans not exported'),
  });
  const running = await startApi(settings, logger);
  let stopping = false;

  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'api stopping');
    setTimeout(() => process.exit(1), settings.KURIR_DRAIN_SECONDS * 1_000 + stopWithinMs).unref();
    try {
      await running.stop();
      logger.info('api stopped');
    } catch (err) {
      logger.error({ err }, 'api did not stop cleanly');
      process.exitCode = 1;
    }
    await tracing.stop();
    // A collector that is away would keep the process a few seconds longer.
    process.exit();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}

/** Returns a plain message for errors that an operator can correct, and the error itself otherwise. */
function explain(error: unknown): unknown {
  if (error instanceof InvalidSettings || error instanceof UnsafeSurroundings) return error.message;
  return explainListenFailure(error, ['PORT', 'KURIR_METRICS_PORT', 'KURIR_HOST']) ?? error;
}

main().catch((error: unknown) => {
  console.error(explain(error));
  process.exitCode = 1;
});
