/** The chores of a worker that holds devices, and those that move messages on while they wait. */
import type { Logger } from '@kurir/logging';
import type { DeviceSupervisor } from '../devices/device-supervisor.js';
import { renewLeasesEveryMs } from '../leases/time-limits.js';
import { type Chore, repeatAll } from './chores.js';
import type { SweepParts } from './fill-devices.js';
import {
  expireAll,
  failUnlinked,
  fillOwnLanes,
  moveAllToNextHours,
  recoverLeftOvers,
  settleAll,
  tellRead,
  wakeAll,
} from './unfinished-messages.js';

/**
 * Renews the leases, and closes all devices if it cannot renew them in time. The returned function stops it; call it after
 * the hand-over, because devices need their leases until then.
 */
export function keepLeases(devices: DeviceSupervisor, log: Logger): () => void {
  return repeatAll(
    [
      { name: 'renew leases', everyMs: renewLeasesEveryMs, run: () => devices.renew() },
      { name: 'fence', everyMs: 500, run: async () => devices.fenceIfStale() },
    ],
    log,
  );
}

export function deviceChores(parts: SweepParts): Chore[] {
  const { devices } = parts;
  return [
    { name: 'balance devices', everyMs: 1_000, run: () => devices.balance() },
    { name: 'reconcile devices', everyMs: 1_000, run: () => devices.reconcile() },
    { name: 'fill lanes', everyMs: 1_000, run: () => fillOwnLanes(parts) },
    { name: 'move to next hours', everyMs: 1_000, run: () => moveAllToNextHours(parts) },
    { name: 'wake', everyMs: 250, run: () => wakeAll(parts) },
    { name: 'tell read marks', everyMs: 1_000, run: () => tellRead(parts) },
    { name: 'recover', everyMs: 3_000, run: () => recoverLeftOvers(parts) },
    { name: 'expire', everyMs: 1_000, run: () => expireAll(parts) },
    { name: 'fail unlinked', everyMs: 2_000, run: () => failUnlinked(parts) },
    { name: 'settle suppressions', everyMs: 1_000, run: () => settleAll(parts) },
  ];
}
