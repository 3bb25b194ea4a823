/** What a person must do about a session that ended and will not come back by itself; null when nothing. */
import { type DeviceReason, deviceReasons } from '@kurir/contracts';
import type { SessionEnd } from '@kurir/network';

const forAPerson: ReadonlySet<DeviceReason> = new Set([
  'client_outdated',
  'credentials_unreadable',
  'proxy_unreadable',
]);

export function instructionFor({ reason, next }: SessionEnd): string | null {
  return next === 'wait' && forAPerson.has(reason) ? deviceReasons[reason] : null;
}
