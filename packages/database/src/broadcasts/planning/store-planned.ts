/**
 * Stores a batch of recipients with the place in their file or contacts, in one transaction under the lock of the
 * broadcast. A batch is stored once: a second worker, or a second try after a lost answer, finds another place.
 */
import type { ParsedTemplate } from '@kurir/contracts';
import type pg from 'pg';
import type { AccountKeys } from '../../accounts/account-keys.js';
import { type Database, inTransaction } from '../../postgres/connect.js';
import { type AudienceEnd, forgetAudience } from '../audience/audience-rows.js';
import {
  type AudienceLease,
  type AudiencePlace,
  audienceTtl,
  type ClaimedAudience,
} from '../audience/claim-audience.js';
import { lockBroadcast, moveBroadcast } from '../state/broadcast-state.js';
import { type PlannedRow, planRows } from '../plan-recipients.js';

/** Returns false if another worker has moved the place, or the lease is lost. */
async function movePlace(client: pg.PoolClient, { id, owner }: AudienceLease, from: AudiencePlace, to: AudiencePlace) {
  const { rowCount } = await client.query({
    name: 'move-place-in-audience',
    text: `UPDATE broadcast_audiences SET place = $4, done = $5, failed_tries = 0, expires_at = now() + ${audienceTtl}
           WHERE broadcast_id = $1 AND owner = $2 AND place IS NOT DISTINCT FROM $3`,
    values: [id, owner, from.place, to.place, to.done],
  });
  return rowCount === 1;
}

export type PlannedBatch = {
  readonly rows: readonly PlannedRow[];
  readonly from: AudiencePlace;
  readonly to: AudiencePlace;
};

/** Returns false if this worker may not go on: somebody cancelled, or another worker goes on. */
export async function storePlanned(
  database: Database,
  accountKeys: AccountKeys,
  audience: ClaimedAudience,
  template: ParsedTemplate,
  { rows, from, to }: PlannedBatch,
): Promise<boolean> {
  const { accountId } = audience;
  const keys = (await accountKeys.sealing(new Map([[accountId, rows.length]]))).get(accountId);
  if (keys === undefined) return false;
  return inTransaction(database.pool, async (client) => {
    const broadcast = await lockBroadcast(client, audience);
    if (broadcast?.state !== 'checking' || !(await movePlace(client, audience, from, to))) return false;
    await planRows({ client, broadcast, keys }, template, rows);
    return true;
  });
}

async function holdsLease(client: pg.PoolClient, { id, owner }: AudienceLease): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'find-lease-of-audience',
    text: 'SELECT 1 FROM broadcast_audiences WHERE broadcast_id = $1 AND owner = $2',
    values: [id, owner],
  });
  return rowCount === 1;
}

/**
 * The broadcast becomes `ready`. With a problem it is cancelled, because a list that lacks people must not go out
 * unnoticed. Returns false if this worker may not end it.
 */
export const endPlanning = (
  { pool }: Database,
  audience: ClaimedAudience,
  end: AudienceEnd | 'done',
): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const broadcast = await lockBroadcast(client, audience);
    if (broadcast?.state !== 'checking' || !(await holdsLease(client, audience))) return false;
    await forgetAudience(client, audience.id, end === 'done' ? null : end);
    return moveBroadcast(client, audience.id, { from: ['checking'], to: end === 'done' ? 'ready' : 'cancelled' });
  });

/** An audience that got no further in so many tries would keep workers from the others. */
const mostFailedTries = 5;

/**
 * Notes that Postgres took too long for the audience. After a few such tries without a batch the broadcast is cancelled.
 * While Postgres cannot be reached, nothing is noted.
 */
export async function noteFailedTry(database: Database, audience: ClaimedAudience): Promise<void> {
  const { rows } = await database.pool.query<{ tries: number }>({
    name: 'note-failed-try-of-audience',
    text: `UPDATE broadcast_audiences SET failed_tries = failed_tries + 1 WHERE broadcast_id = $1 AND owner = $2
           RETURNING failed_tries AS tries`,
    values: [audience.id, audience.owner],
  });
  if ((rows[0]?.tries ?? 0) >= mostFailedTries) await endPlanning(database, audience, { code: 'too_slow', row: null });
}
