/** The audiences that this worker plans, one at a time. */
import type { AccountKeys, Database } from '@kurir/database';
import { endPlanning, noteFailedTry, releaseAudience, renewAudience, takeAudience } from '@kurir/database/broadcasts';
import type { Logger } from '@kurir/logging';
import { startLeasedWork } from '../sweep/leased-work.js';
import { planAudience } from './plan-audience.js';

export type PlanningOptions = {
  readonly owner: string;
  readonly database: Database;
  readonly accountKeys: AccountKeys;
  readonly log: Logger;
};

/** Returns the function that gives the audience back and ends. */
export function startPlanning({ owner, database, accountKeys, log }: PlanningOptions): () => Promise<void> {
  return startLeasedWork(
    {
      name: 'audience',
      take: () => takeAudience(database, owner),
      renew: (audience) => renewAudience(database, audience),
      run: (audience, signal) => planAudience({ database, accountKeys, audience, signal }),
      fail: (audience) => endPlanning(database, audience, { code: 'internal_error', row: null }),
      noteFailedTry: (audience) => noteFailedTry(database, audience),
      release: (audience) => releaseAudience(database, audience),
      about: ({ accountId, id, place }) => ({ accountId, broadcastId: id, place }),
    },
    log,
  );
}
