/**
 * Erases and forgets broadcasts. The text and the values of recipients go when their time is over, the rows with the
 * messages. A person who is erased keeps a place in the counts. A killed run is ended by the next one.
 */
import type { AccountId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import { runInBatches } from '../postgres/chores/run-in-batches.js';

const rowsPerBatch = 1_000;

/** Erases people from all broadcasts of the account, or of all. A place that had no message yet gets none. */
export async function eraseRecipients(
  { pool }: Database,
  recipients: readonly string[],
  accountId: AccountId | null,
): Promise<void> {
  await pool.query(
    `UPDATE broadcast_recipients r SET recipient = 'erased ' || position, key_number = NULL, sealed = NULL,
       skip_reason = CASE WHEN r.state = 0 THEN 'erased' ELSE r.skip_reason END, state = CASE WHEN r.state = 0 THEN 1 ELSE r.state END
     FROM broadcasts b
     WHERE r.recipient = ANY ($1::text[]) AND b.id = r.broadcast_id AND ($2::text IS NULL OR b.account_id = $2)`,
    [recipients, accountId],
  );
}

async function runStatement({ pool }: Database, name: string, text: string, value: number, signal: AbortSignal) {
  return runInBatches(async () => {
    const { rowCount } = await pool.query({ name, text, values: [value] });
    return { deleted: rowCount ?? 0, isLast: (rowCount ?? 0) < rowsPerBatch };
  }, signal);
}

/**
 * Erases the texts of broadcasts that ended more than `keptHours` ago, and the values of their recipients. Some accounts
 * keep texts for a shorter time.
 */
export async function eraseBroadcastTexts(database: Database, keptHours: number, signal: AbortSignal): Promise<void> {
  const ended = `b.sealed IS NOT NULL AND b.ended_at < now() - make_interval(hours => LEAST($1, a.text_retention_hours))`;
  await runStatement(
    database,
    'erase-values-of-recipients',
    `UPDATE broadcast_recipients SET key_number = NULL, sealed = NULL WHERE ctid = ANY (ARRAY(
       SELECT r.ctid FROM accounts a JOIN broadcasts b ON b.account_id = a.id JOIN broadcast_recipients r ON r.broadcast_id = b.id
       WHERE ${ended} AND r.sealed IS NOT NULL LIMIT ${rowsPerBatch}))`,
    keptHours,
    signal,
  );
  if (signal.aborted) return;
  await runStatement(
    database,
    'erase-texts-of-broadcasts',
    // Somebody may resume it meanwhile.
    `UPDATE broadcasts b SET key_number = NULL, sealed = NULL WHERE b.ended_at IS NOT NULL AND b.id = ANY (ARRAY(
       SELECT b.id FROM accounts a JOIN broadcasts b ON b.account_id = a.id WHERE ${ended} LIMIT ${rowsPerBatch}))`,
    keptHours,
    signal,
  );
}

/** Deletes broadcasts that ended more than `olderThanDays` ago. */
export async function forgetBroadcasts(database: Database, olderThanDays: number, signal: AbortSignal): Promise<void> {
  const old = `b.ended_at < now() - make_interval(days => $1)`;
  await runStatement(
    database,
    'forget-recipients',
    `DELETE FROM broadcast_recipients WHERE ctid = ANY (ARRAY(
       SELECT r.ctid FROM broadcasts b JOIN broadcast_recipients r ON r.broadcast_id = b.id WHERE ${old} LIMIT ${rowsPerBatch}))`,
    olderThanDays,
    signal,
  );
  if (signal.aborted) return;
  await runStatement(
    database,
    'forget-broadcasts',
    `DELETE FROM broadcasts WHERE id = ANY (ARRAY(SELECT b.id FROM broadcasts b WHERE ${old} LIMIT ${rowsPerBatch}))`,
    olderThanDays,
    signal,
  );
}
