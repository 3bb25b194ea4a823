/** The chores of a worker. Each runs again and again, never twice at once, and survives its own failures. */
import {
  ageOutContacts,
  ageOutSmallTables,
  ageOutUnlinked,
  continueErasures,
  eraseCodes,
  eraseContents,
  eraseOldBodies,
  finishDeletedDevices,
  forgetInbound,
  forgetMessages,
  forgetRequestKeys,
  keepDayPartitions,
  keepMonthPartitions,
  tellPlanEnds,
} from '@kurir/database';
import { cancelIdleBroadcasts, eraseBroadcastTexts, forgetBroadcasts } from '@kurir/database/broadcasts';
import { forgetImports } from '@kurir/database/contacts';
import { countDeviceDays } from '@kurir/database/health';
import { forgetUploads } from '@kurir/database/uploads';
import { forgetAttempts } from '@kurir/database/webhooks';
import type { Logger } from '@kurir/logging';
import { driveBroadcasts } from '../broadcasts/drive-broadcasts.js';
import type { DeviceSupervisor } from '../devices/device-supervisor.js';
import { renewLeasesEveryMs } from '../leases/time-limits.js';
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

/** Events are kept so many days longer than their messages. */
const eventsOutliveDays = 60;

export type Chore = {
  readonly name: string;
  readonly everyMs: number;
  /** A long chore ends soon after the signal is aborted. */
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

/** Runs until a pass finds no bodies that must be erased later. */
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
 * Renews the leases, and closes all devices if it cannot renew them in time. The returned function stops it; call it after
 * the hand-over, because devices need their leases until then.
 */
export function keepLeases(devices: DeviceSupervisor, log: Logger): () => void {
  return startAll(
    [
      { name: 'renew leases', everyMs: renewLeasesEveryMs, run: () => devices.renew() },
      { name: 'fence', everyMs: 500, run: async () => devices.fenceIfStale() },
    ],
    log,
  );
}

function forgettingChores(parts: SweepParts): Chore[] {
  const { database, retention } = parts;
  return [
    {
      name: 'forget messages',
      everyMs: 10_000,
      run: (signal) => forgetMessages(database, retention.messageDays, signal),
    },
    {
      name: 'forget conversations',
      everyMs: 600_000,
      run: (signal) => forgetInbound(database, retention.messageDays, signal),
    },
    {
      name: 'forget broadcasts',
      everyMs: 3_600_000,
      run: async (signal) => {
        await cancelIdleBroadcasts(database, signal);
        await eraseBroadcastTexts(database, retention.textHours, signal);
        await forgetBroadcasts(database, retention.messageDays, signal);
      },
    },
    { name: 'erase codes', everyMs: 60_000, run: (signal) => eraseCodes(database, signal) },
    { name: 'erase texts', everyMs: 600_000, run: (signal) => eraseContents(database, retention.textHours, signal) },
    { name: 'erase old texts', everyMs: 600_000, run: eraseOldBodiesOnce(parts) },
    {
      name: 'month partitions',
      everyMs: 3_600_000,
      run: () =>
        keepMonthPartitions(database, Math.max(retention.messageDays + eventsOutliveDays, retention.eventDays)),
    },
    { name: 'day partitions', everyMs: 3_600_000, run: () => keepDayPartitions(database) },
    { name: 'forget request keys', everyMs: 600_000, run: (signal) => forgetRequestKeys(database, signal) },
    { name: 'erase accounts', everyMs: 3_000, run: (signal) => continueErasures(database, signal) },
    { name: 'forget attempts', everyMs: 3_600_000, run: () => forgetAttempts(database, retention.eventDays) },
    { name: 'forget imports', everyMs: 3_600_000, run: (signal) => forgetImports(database, signal) },
    { name: 'forget uploads', everyMs: 60_000, run: (signal) => forgetUploads(database, signal) },
    { name: 'age out', everyMs: 3_600_000, run: (signal) => ageOut(parts, signal) },
  ];
}

/** Each part is tried, even if another one fails. */
async function ageOut({ database, retention }: SweepParts, signal: AbortSignal): Promise<void> {
  const ended = await Promise.allSettled([
    ageOutContacts(database, retention.contactDays, signal),
    ageOutUnlinked(database),
    ageOutSmallTables(database, signal),
    finishDeletedDevices(database, signal),
  ]);
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

/** Starts all other chores of a worker. The returned function stops them. */
export function startChores(parts: SweepParts): () => void {
  const { devices } = parts;
  return startAll(
    [
      { name: 'balance devices', everyMs: 1_000, run: () => devices.balance() },
      { name: 'reconcile devices', everyMs: 1_000, run: () => devices.reconcile() },
      { name: 'fill lanes', everyMs: 1_000, run: () => fillOwnLanes(parts) },
      { name: 'move to next hours', everyMs: 1_000, run: () => moveAllToNextHours(parts) },
      { name: 'wake', everyMs: 250, run: () => wakeAll(parts) },
      { name: 'tell read marks', everyMs: 1_000, run: () => tellRead(parts) },
      { name: 'recover', everyMs: 3_000, run: () => recoverLeftOvers(parts) },
      { name: 'expire', everyMs: 1_000, run: () => expireAll(parts) },
      { name: 'fail unlinked', everyMs: 2_000, run: () => failUnlinked(parts) },
      { name: 'drive broadcasts', everyMs: 500, run: (signal) => driveBroadcasts(parts, signal) },
      { name: 'settle suppressions', everyMs: 1_000, run: () => settleAll(parts) },
      { name: 'count device days', everyMs: 300_000, run: (signal) => countDeviceDays(parts.database, signal) },
      { name: 'tell plan ends', everyMs: 600_000, run: () => tellPlanEnds(parts.database) },
      ...forgettingChores(parts),
    ],
    parts.log,
  );
}
