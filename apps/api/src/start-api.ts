import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidSettings, oldNodeWarning } from '@kurir/config';
import type { Logger } from '@kurir/logging';
import { type MetricsServer, serveMetrics } from '@kurir/metrics';
import { checkConnection, checkMasterKey, checkSurroundings } from './check-surroundings.js';
import { findExposedFeatures } from './find-exposed-features.js';
import { createHttpServer, listen, stopListening } from './server/listen.js';
import { noMailer } from './mail/mailer.js';
import { createNotices } from './notices/notices.js';
import { type ApiSettings, openResources } from './open-resources.js';
import type { Api } from './operations/api.js';
import { createGatewayMetrics } from './operators/gateway-metrics.js';
import { sandboxName } from './payments/invoices/sandbox-name.js';

/** Requests in flight have this long to finish. */
const stopMaxMs = 8_000;

export type RunningApi = { readonly port: number; readonly url: string; stop(): Promise<void> };

/** Returns null if the settings ask for no metrics. */
async function openMetrics(settings: ApiSettings, api: Api): Promise<MetricsServer | null> {
  const { KURIR_METRICS_PORT: port, KURIR_METRICS_TOKEN: token, KURIR_HOST: host } = settings;
  if (port === undefined) return null;
  const served = await serveMetrics({ program: 'api', host, port, token, refresh: createGatewayMetrics(api) });
  api.logger.info({ port: served.port }, 'metrics listening');
  return served;
}

/** Opens the resources, checks them and listens. If a step fails, it closes everything and rejects. */
export async function startApi(settings: ApiSettings, logger: Logger): Promise<RunningApi> {
  const exposed = findExposedFeatures(settings);
  if (exposed.length > 0) throw new InvalidSettings(exposed);
  const oldNode = oldNodeWarning();
  if (oldNode !== null) logger.warn(oldNode);
  const { api, close } = openResources(settings, logger);
  const { database, addresses, seller, signalLivePages } = api;
  const mailer = api.mailer === noMailer ? null : api.mailer;
  const publicUrl = () => addresses.publicUrl();
  const notices = createNotices({ database, mailer, seller, logger, publicUrl, signalLivePages });
  let metricsServer: MetricsServer | null = null;
  try {
    const production = settings.NODE_ENV === 'production';
    await checkConnection(api);
    await Promise.all([checkSurroundings(api, production), checkMasterKey(api, production)]);
    if (production && api.payments?.name === sandboxName)
      logger.warn('renewals are paid in the sandbox: no real money moves');
    metricsServer = await openMetrics(settings, api);
    const server = createHttpServer(api);
    const port = await listen(server, { port: settings.PORT, host: settings.KURIR_HOST });
    api.addresses.listensOn(port);
    notices.start();
    logger.info({ port, url: api.addresses.publicUrl() }, 'api listening');
    return {
      port,
      url: api.addresses.ownUrl(),
      async stop() {
        api.draining.begun = true;
        await sleep(settings.KURIR_DRAIN_SECONDS * 1_000);
        // Streams end first, because each would keep its connection open until the timeout.
        api.live.close();
        await Promise.all([stopListening(server, stopMaxMs), notices.stop()]);
        metricsServer?.close();
        await close();
      },
    };
  } catch (error) {
    metricsServer?.close();
    await close();
    throw error;
  }
}
