/**
 * The sweeps: what Postgres says is unfinished is taken up again, what is too late expires; nothing waits for a
 * person. Each runs again and again, alone, and survives its own failures.
 */
import type { DeviceId } from '@kurir/contracts';
import {
  type Database,
  eraseCodes,
  eraseContents,
  eraseOldBodies,
  expireMessages,
  failUnlinkedMessages,
  forgetMessages,
  forgetRequestKeys,
  keepMonthPartitions,
  readDueLanes,
  readSendingDevices,
  wakeMessages,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import { fillLanes, type QueueConnection } from '@kurir/queue';
import type { DeviceHolder } from './hold-devices.js';
import { renewLeasesEveryMs } from './time-limits.js';

/** How long things are kept after a message is over. */
export type Retention = {
  readonly messageDays: number;
  /** Texts that are no codes. */
  readonly textHours: number;
};

/** Events are kept so much longer than the messages that they are about. */
const eventsOutliveDays = 60;

export type SweepParts = {
  readonly database: Database;
  readonly queue: QueueConnection;
  readonly holder: DeviceHolder;
  readonly retention: Retention;
  /** Since when each device has had something waiting, round after round, by a monotonic clock. */
  readonly waitingSince: Map<DeviceId, number>;
  readonly log: Logger;
};

/** A message this young has its ticket on the way. */
const enqueueGraceMs = 1_000;
/** A lane with work that has had no turn from BullMQ for so long has stopped consuming. */
const stuckAfterMs = 15_000;

/** Fills the lanes of the given devices from Postgres. */
export async function fillDevices(
  parts: SweepParts,
  deviceIds: readonly DeviceId[],
  olderThanMs: number,
): Promise<void> {
  if (deviceIds.length === 0) return;
  const due = await readDueLanes(parts.database, deviceIds, olderThanMs);
  const waiting = new Set(due.map((lane) => lane.deviceId));
  noteWaiting(parts, deviceIds, waiting);
  await fillLanes(parts.queue, due, (deviceId, err) =>
    parts.log.warn({ err, deviceId }, 'lane not filled, will be tried again'),
  );
  reopenStuck(parts, waiting);
}

function noteWaiting({ waitingSince }: SweepParts, asked: readonly DeviceId[], waiting: ReadonlySet<DeviceId>): void {
  for (const deviceId of asked) {
    if (!waiting.has(deviceId)) waitingSince.delete(deviceId);
    else if (!waitingSince.has(deviceId)) waitingSince.set(deviceId, performance.now());
  }
}

/** Stuck is a lane that gets no turn from BullMQ although messages have been due for as long. */
function reopenStuck(parts: SweepParts, waiting: ReadonlySet<DeviceId>): void {
  for (const deviceId of waiting) {
    const device = parts.holder.get(deviceId);
    if (device === undefined) continue;
    const waitedMs = performance.now() - (parts.waitingSince.get(deviceId) ?? performance.now());
    if (Math.min(device.laneIdleMs, waitedMs) < stuckAfterMs) continue;
    device.reopenLane().catch((err: unknown) => parts.log.error({ err, deviceId }, 'stuck lane not opened again'));
  }
}

const sendingIds = (parts: SweepParts) => parts.holder.sending().map((device) => device.holder.deviceId);

/** What stands as sending while its device is at rest was left by a crash or a failed write. */
async function recoverLeftOvers(parts: SweepParts): Promise<void> {
  const atRest = parts.holder.sending().filter((device) => !device.isBusy);
  const ids = await readSendingDevices(
    parts.database,
    atRest.map((device) => device.holder.deviceId),
  );
  // A network that says nothing holds one of them for long; the others do not wait for it.
  for (const deviceId of ids) void parts.holder.get(deviceId)?.recover();
}

async function expireAll(parts: SweepParts): Promise<void> {
  for (;;) {
    const expired = await expireMessages(parts.database);
    if (expired > 0) parts.log.info({ expired }, 'messages expired');
    if (expired < 1_000) return;
  }
}

async function failUnlinked(parts: SweepParts): Promise<void> {
  for (;;) {
    const failed = await failUnlinkedMessages(parts.database);
    if (failed === 0) return;
    parts.log.info({ failed }, 'messages of unlinked devices ended');
  }
}

/** What has become due goes at once through the lanes that this worker holds; other workers' sweeps find the rest. */
async function wakeAll(parts: SweepParts): Promise<void> {
  for (;;) {
    const woken = await wakeMessages(parts.database);
    if (woken.length === 0) return;
    const ids = new Set(woken);
    await fillDevices(
      parts,
      sendingIds(parts).filter((deviceId) => ids.has(deviceId)),
      0,
    );
  }
}

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
      { name: 'fill lanes', everyMs: 1_000, run: () => fillDevices(parts, sendingIds(parts), enqueueGraceMs) },
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
