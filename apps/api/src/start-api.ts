import type { Logger } from '@kurir/logging';
import { checkSurroundings } from './check-surroundings.js';
import { createHttpServer, listen, stopListening } from './server/listen.js';
import { type ApiSettings, openResources } from './open-resources.js';
import { sandboxName } from './payments/sandbox-provider.js';

/** Running requests get this long to finish, and what they use is closed after. */
const stopMaxMs = 8_000;

export type RunningApi = { readonly port: number; readonly url: string; stop(): Promise<void> };

/** Opens, checks and listens. Rejects, with everything closed again, when one of them fails. */
export async function startApi(settings: ApiSettings, logger: Logger): Promise<RunningApi> {
  const { api, close } = openResources(settings, logger);
  try {
    await checkSurroundings(api, settings.NODE_ENV === 'production');
    if (settings.NODE_ENV === 'production' && api.payments?.name === sandboxName)
      logger.warn('renewals are paid in the sandbox: no real money moves');
    const server = createHttpServer(api);
    const port = await listen(server, { port: settings.PORT, host: settings.KURIR_HOST });
    api.addresses.listensOn(port);
    logger.info({ port, url: api.addresses.publicUrl() }, 'api listening');
    return {
      port,
      url: api.addresses.ownUrl(),
      async stop() {
        // A stream would hold its connection open until the last moment.
        api.live.close();
        await stopListening(server, stopMaxMs);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
