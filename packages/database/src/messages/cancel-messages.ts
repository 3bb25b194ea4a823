/** Cancels messages that still wait: one by its id, or all that match a filter. */
import { type AccountId, limits, type MessageId, type MessagePriority } from '@kurir/contracts';
import { type Audit, noteAudit } from '../accounts/audit.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import { type MessageFilter, rankOf, readMessage, shownStatus } from './read-messages.js';
import { moveColumns, moveOnce, writeMoves } from './write-status.js';

/** Moves messages. With `audit`, adds its row in the same transaction. */
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
 * Cancels the account's message and refunds its quota. `not-cancellable`: the message no longer waits, was cancelled
 * before, or an earlier try had no answer.
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

/** The size of a batch. It is small, so that nothing waits long for a locked message. */
const cancelledAtOnce = 1_000;

/** Messages in the lane and messages that wait outside it have separate indexes. */
const waitingOf = (place: string) => `
  SELECT m.id FROM devices d JOIN messages m ON m.device_id = d.id
  WHERE d.account_id = $1 AND ($2::text IS NULL OR d.id = $2) AND m.stage = 0 AND ${place} AND m.unanswered = 0
    AND ($3::text IS NULL OR ${shownStatus} = $3) AND ($4::text IS NULL OR m.recipient = $4) AND ($5::text IS NULL OR m.client_ref = $5)
    AND ($6::smallint IS NULL OR m.priority = $6) AND ($7::timestamptz IS NULL OR m.created_at >= $7)
    AND ($8::timestamptz IS NULL OR m.created_at < $8) AND ($9::text IS NULL OR m.broadcast_id = $9)
    AND ($10::text[] IS NULL OR d.id = ANY ($10))`;

export type WaitingFilter = Pick<MessageFilter, 'status' | 'deviceId' | 'deviceIds' | 'recipient' | 'clientRef'> & {
  readonly priority: MessagePriority | null;
  readonly broadcastId: string | null;
  readonly since: Date | null;
  readonly until: Date | null;
};

/**
 * Cancels waiting messages of the account that match and had no try without an answer. Refunds their quota. Stops at a
 * limit; `hasMore` then says that others still wait. A second call cancels the rest.
 */
export async function cancelMessages(
  database: Database,
  accountId: AccountId,
  filter: WaitingFilter,
  audit?: Audit,
): Promise<{ readonly cancelled: number; readonly hasMore: boolean }> {
  const { deviceId, status, recipient, clientRef, priority, since, until, broadcastId, deviceIds = null } = filter;
  const waiting = `(${waitingOf('m.waits_until IS NULL')} LIMIT ${cancelledAtOnce})
    UNION ALL (${waitingOf('m.waits_until IS NOT NULL')} LIMIT ${cancelledAtOnce}) LIMIT ${cancelledAtOnce}`;
  const source = `SELECT ${moveColumns({ id: 'id', to: `'cancelled'` })} FROM (${waiting}) waiting`;
  const values = [
    accountId,
    deviceId,
    status,
    recipient,
    clientRef,
    rankOf(priority),
    since,
    until,
    broadcastId,
    deviceIds,
  ];
  let cancelled = 0;
  while (cancelled < limits.cancelMaxMessages) {
    // One audit row for the whole request.
    const noted = cancelled === 0 ? audit : undefined;
    const moved = await moveAudited(database, noted, null, 'cancel-waiting', source, values);
    cancelled += moved.length;
    // Another call may have cancelled this whole batch first.
    if (moved.length === 0) break;
  }
  const { rowCount } = await database.pool.query({
    name: 'find-waiting',
    text: `SELECT 1 FROM (${waiting}) waiting LIMIT 1`,
    values,
  });
  return { cancelled, hasMore: rowCount === 1 };
}
