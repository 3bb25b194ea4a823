/** What the driver logs to, and what Baileys may say there: its own words only, never an address, a key or a text. */
import type { SocketConfig } from 'baileys';

export type DriverLog = {
  debug(context: object, message: string): void;
  warn(context: object, message: string): void;
};

/** Phone numbers and LIDs stand in Baileys' messages; its objects hold keys and whole stanzas and are dropped. */
const ADDRESS = /\d{5,}/g;

export function createBaileysLog(log: DriverLog): SocketConfig['logger'] {
  const say = (context: unknown, message?: string): void => {
    const words = typeof context === 'string' ? context : message;
    log.debug({ baileys: words?.replaceAll(ADDRESS, '…') }, 'baileys');
  };
  const quiet = (): void => undefined;
  const logger: SocketConfig['logger'] = {
    level: 'warn',
    child: () => logger,
    trace: quiet,
    debug: quiet,
    info: quiet,
    warn: say,
    error: say,
  };
  return logger;
}
