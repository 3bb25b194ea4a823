/** One line for the end of a session; an error with what to do where it will not come back until a person has done that. */
import { adviceOf, type DeviceReason } from '@kurir/contracts';
import type { Logger } from '@kurir/logging';
import type { SessionEnd } from '@kurir/network';

const forAPerson: ReadonlySet<DeviceReason> = new Set([
  'client_outdated',
  'credentials_unreadable',
  'proxy_unreadable',
  'no_driver',
]);

export function logSessionEnd(log: Pick<Logger, 'info' | 'error'>, { reason, next, detail }: SessionEnd): void {
  if (next !== 'wait' || !forAPerson.has(reason)) log.info({ reason, next }, 'session ended');
  else
    log.error(
      { reason, next, instruction: adviceOf(reason, detail ?? null) },
      'session ended, device waits for a person',
    );
}
