/** The chores of a worker: each runs again and again, never twice at once, and survives its own failures. */
import {
  eraseCodes,
  eraseContents,
  eraseOldBodies,
  forgetMessages,
  forgetRequestKeys,
  keepMonthPartitions,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { DeviceHolder } from '../devices/hold-devices.js';
import { renewLeasesEveryMs } from '../devices/time-limits.js';
import type { SweepParts } from './fill-devices.js';
import { expireAll, failUnlinked, fillHeldLanes, recoverLeftOvers, wakeAll } from './unfinished-messages.js';

/** Events are kept so much longer than the messages that they are about. */
const eventsOutliveDays = 60;

export type Chore = {
  readonly name: string;
  readonly everyMs: number;
  /** One that takes long ends soon after the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
};

/** Runs a chore, waits, runs it again; never twice at once. */
export function repeat(chore: Chore, log: Logger): () => void {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const round = async () => {
    try {
      await chore.run(over.signal);
    } catch (err) {
      log.warn({ err, chore: chore.name }, 'chore failed, will be tried again');
    }
    if (!over.signal.aborted) timer = setTimeout(start, chore.everyMs);
  };
  const start = () => void round();
  start();
  return () => {
    over.abort();
    clearTimeout(timer);
  };
}

/** Until a pass finds nothing that is to be erased later. */
function eraseOldBodiesOnce({ database, retention }: SweepParts): Chore['run'] {
  let hasMore = true;
  return async (signal) => {
    if (hasMore) hasMore = (await eraseOldBodies(database, retention.textHours, signal)).hasMore;
  };
}

function startAll(chores: readonly Chore[], log: Logger): () => void {
  const stops = chores.map((chore) => repeat(chore, log));
  return () => {
    for (const stop of stops) stop();
  };
}

/**
 * Renews the leases and closes devices whose leases it can no longer renew, until the returned function is called. Devices that
 * are being handed over still need their leases.
 */
export function keepLeases(holder: DeviceHolder, log: Logger): () => void {
  return startAll(
    [
      { name: 'renew leases', everyMs: renewLeasesEveryMs, run: () => holder.renew() },
      { name: 'fence', everyMs: 500, run: async () => holder.fenceIfStale() },
    ],
    log,
  );
}

/** Starts all other chores of a worker; the function that it returns stops them. */
export function startChores(parts: SweepParts): () => void {
  const { database, holder, retention } = parts;
  return startAll(
    [
      { name: 'balance devices', everyMs: 1_000, run: () => holder.balance() },
      { name: 'reconcile devices', everyMs: 1_000, run: () => holder.reconcile() },
      { name: 'fill lanes', everyMs: 1_000, run: () => fillHeldLanes(parts) },
      { name: 'wake', everyMs: 250, run: () => wakeAll(parts) },
      { name: 'recover', everyMs: 3_000, run: () => recoverLeftOvers(parts) },
      { name: 'expire', everyMs: 1_000, run: () => expireAll(parts) },
      { name: 'fail unlinked', everyMs: 2_000, run: () => failUnlinked(parts) },
      {
        name: 'forget messages',
        everyMs: 10_000,
        run: (signal) => forgetMessages(database, retention.messageDays, signal),
      },
      { name: 'erase codes', everyMs: 60_000, run: (signal) => eraseCodes(database, signal) },
      { name: 'erase texts', everyMs: 600_000, run: (signal) => eraseContents(database, retention.textHours, signal) },
      { name: 'erase old texts', everyMs: 600_000, run: eraseOldBodiesOnce(parts) },
      {
        name: 'month partitions',
        everyMs: 3_600_000,
        run: () => keepMonthPartitions(database, retention.messageDays + eventsOutliveDays),
      },
      { name: 'forget request keys', everyMs: 600_000, run: (signal) => forgetRequestKeys(database, signal) },
    ],
    parts.log,
  );
}
