/**
 * The log of the driver, and the lines of Baileys in it. Only Baileys' own words are logged, never an address, a key or
 * a text.
 */
import type { SocketConfig } from 'baileys';

export type DriverLog = {
  debug(context: object, message: string): void;
  warn(context: object, message: string): void;
};

/**
 * Baileys' messages contain phone numbers and LIDs. The objects that it logs hold keys and whole stanzas, so they are
 * dropped.
 */
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
