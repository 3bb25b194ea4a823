import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidSettings, oldNodeWarning } from '@kurir/config';
import type { Logger } from '@kurir/logging';
import { checkMasterKey, checkSurroundings } from './check-surroundings.js';
import { findExposedFeatures } from './find-exposed-features.js';
import { createHttpServer, listen, stopListening } from './server/listen.js';
import { noMailer } from './mail/mailer.js';
import { createNotices } from './notices/notices.js';
import { type ApiSettings, openResources } from './open-resources.js';
import { sandboxName } from './payments/sandbox-provider.js';

/** Requests in flight have this long to finish. */
const stopMaxMs = 8_000;

export type RunningApi = { readonly port: number; readonly url: string; stop(): Promise<void> };

/** Opens the resources, checks them and listens. If a step fails, it closes everything and rejects. */
export async function startApi(settings: ApiSettings, logger: Logger): Promise<RunningApi> {
  const exposed = findExposedFeatures(settings);
  if (exposed.length > 0) throw new InvalidSettings(exposed);
  const oldNode = oldNodeWarning();
  if (oldNode !== null) logger.warn(oldNode);
  const { api, close } = openResources(settings, logger);
  const { database, addresses, signalLivePages } = api;
  const mailer = api.mailer === noMailer ? null : api.mailer;
  const notices = createNotices({ database, mailer, logger, publicUrl: () => addresses.publicUrl(), signalLivePages });
  try {
    const production = settings.NODE_ENV === 'production';
    await Promise.all([checkSurroundings(api, production), checkMasterKey(api, production)]);
    if (production && api.payments?.name === sandboxName)
      logger.warn('renewals are paid in the sandbox: no real money moves');
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
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
