/** The chores that need no device: they erase what is too old, make partitions, and count days. */
import {
  ageOutContacts,
  ageOutSmallTables,
  ageOutUnlinked,
  continueErasures,
  type Database,
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
import type { Chore } from './chores.js';

/** How long the worker keeps what has ended. */
export type Retention = {
  readonly messageDays: number;
  /** For all texts but one-time codes. */
  readonly textHours: number;
  readonly contactDays: number;
  /** How many days feed and webhooks reach back. */
  readonly eventDays: number;
};

type Parts = { readonly database: Database; readonly retention: Retention };

/** Events are kept so many days longer than their messages. */
const eventsOutliveDays = 60;

/** Runs until a pass finds no bodies that must be erased later. */
function eraseOldBodiesOnce({ database, retention }: Parts): Chore['run'] {
  let hasMore = true;
  return async (signal) => {
    if (hasMore) hasMore = (await eraseOldBodies(database, retention.textHours, signal)).hasMore;
  };
}

export function housekeepingChores(parts: Parts): Chore[] {
  const { database, retention } = parts;
  return [
    { name: 'count device days', everyMs: 300_000, run: (signal) => countDeviceDays(database, signal) },
    { name: 'tell plan ends', everyMs: 600_000, run: () => tellPlanEnds(database) },
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
async function ageOut({ database, retention }: Parts, signal: AbortSignal): Promise<void> {
  const ended = await Promise.allSettled([
    ageOutContacts(database, retention.contactDays, signal),
    ageOutUnlinked(database),
    ageOutSmallTables(database, signal),
    finishDeletedDevices(database, signal),
  ]);
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}
