/** Cancels messages that still wait: one by its id, or all that match a filter. */
import { type AccountId, limits, type MessageId, type MessagePriority } from '@kurir/contracts';
import { type Audit, noteAudit } from '../accounts/audit.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import { type MessageFilter, rankOf, readMessage, shownStatus } from './read-messages.js';
import { moveColumns, moveOnce, writeMoves } from './write-status.js';

/** Moves messages and, with `audit`, notes in the same transaction who did it. */
function moveAudited(
  { pool }: Database,
  audit: Audit | undefined,
  subject: string | null,
  ...[name, source, values]: [name: string, source: string, values: readonly unknown[]]
) {
  if (audit === undefined) return writeMoves(pool, name, source, values);
  return inTransaction(pool, async (client) => {
    const moved = await moveOnce(client, name, source, values);
    if (moved.length > 0) await noteAudit(client, audit, subject);
    return moved;
  });
}

/**
 * Cancels the account's message if it still waits and no earlier try went unanswered; its quota comes back.
 * `not-cancellable` when it stands anywhere else, also when it was cancelled before.
 */
export async function cancelMessage(
  database: Database,
  accountId: AccountId,
  messageId: MessageId,
  audit?: Audit,
): Promise<'cancelled' | 'not-cancellable' | 'not-found'> {
  const source = `SELECT ${moveColumns({ id: 'id', to: `'cancelled'` })} FROM messages WHERE id = $1 AND account_id = $2`;
  const moved = await moveAudited(database, audit, messageId, 'cancel-messages', source, [messageId, accountId]);
  if (moved.length > 0) return 'cancelled';
  return (await readMessage(database, accountId, messageId)) === null ? 'not-found' : 'not-cancellable';
}

/** Messages are cancelled so many at a time, so that nobody waits long for one of them. */
const cancelledAtOnce = 1_000;

/** Messages in the lane and messages that wait beside it have separate indexes. */
const waitingOf = (place: string) => `
  SELECT m.id FROM devices d JOIN messages m ON m.device_id = d.id
  WHERE d.account_id = $1 AND ($2::text IS NULL OR d.id = $2) AND m.stage = 0 AND ${place} AND m.unanswered = 0
    AND ($3::text IS NULL OR ${shownStatus} = $3) AND ($4::text IS NULL OR m.recipient = $4) AND ($5::text IS NULL OR m.client_ref = $5)
    AND ($6::smallint IS NULL OR m.priority = $6) AND ($7::timestamptz IS NULL OR m.created_at >= $7)
    AND ($8::timestamptz IS NULL OR m.created_at < $8)`;

export type WaitingFilter = Pick<MessageFilter, 'status' | 'deviceId' | 'recipient' | 'clientRef'> & {
  readonly priority: MessagePriority | null;
  readonly since: Date | null;
  readonly until: Date | null;
};

/**
 * Cancels the account's messages that wait, match and had no try without an answer, up to a limit; their quota comes back.
 * Returns how many, and whether more of them wait. Run twice it finds those that are left.
 */
export async function cancelMessages(
  database: Database,
  accountId: AccountId,
  filter: WaitingFilter,
  audit?: Audit,
): Promise<{ readonly cancelled: number; readonly hasMore: boolean }> {
  const { deviceId, status, recipient, clientRef, priority, since, until } = filter;
  const waiting = `(${waitingOf('m.waits_until IS NULL')} LIMIT ${cancelledAtOnce})
    UNION ALL (${waitingOf('m.waits_until IS NOT NULL')} LIMIT ${cancelledAtOnce}) LIMIT ${cancelledAtOnce}`;
  const source = `SELECT ${moveColumns({ id: 'id', to: `'cancelled'` })} FROM (${waiting}) waiting`;
  const values = [accountId, deviceId, status, recipient, clientRef, rankOf(priority), since, until];
  let cancelled = 0;
  while (cancelled < limits.cancelMaxMessages) {
    // One row for all that one request cancels.
    const noted = cancelled === 0 ? audit : undefined;
    const moved = await moveAudited(database, noted, null, 'cancel-waiting', source, values);
    cancelled += moved.length;
    // Another call may have been faster with all of this bite.
    if (moved.length === 0) break;
  }
  const { rowCount } = await database.pool.query({
    name: 'find-waiting',
    text: `SELECT 1 FROM (${waiting}) waiting LIMIT 1`,
    values,
  });
  return { cancelled, hasMore: rowCount === 1 };
}
