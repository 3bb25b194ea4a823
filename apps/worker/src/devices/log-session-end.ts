/** Logs the end of a session in one line. If the device needs a person, the line is an error and says what to do. */
import { adviceOf, type DeviceReason } from '@kurir/contracts';
import type { Logger } from '@kurir/logging';
import type { SessionEnd } from '@kurir/network';

const needsPerson: ReadonlySet<DeviceReason> = new Set([
  'client_outdated',
  'credentials_unreadable',
  'proxy_unreadable',
  'no_driver',
]);

export function logSessionEnd(log: Pick<Logger, 'info' | 'error'>, { reason, next, detail }: SessionEnd): void {
  if (next !== 'wait' || !needsPerson.has(reason)) log.info({ reason, next }, 'session ended');
  else
    log.error(
      { reason, next, instruction: adviceOf(reason, detail ?? null) },
      'session ended, device waits for a person',
    );
}
