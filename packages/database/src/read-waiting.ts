/** What messages wait for: derived when it is asked, of those that are asked for and no others. */
import type { MessageId, WaitingReason } from '@kurir/contracts';
import type { Database } from './connect.js';
import { joinWaiting } from './new-contacts.js';

export type Waiting = {
  readonly reason: WaitingReason;
  /** Null: nobody knows. */
  readonly until: Date | null;
};

/** What holds each of the messages longest; one that may go, or waits no more, is left out. */
export async function readWaiting(
  database: Database,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, Waiting>> {
  if (ids.length === 0) return new Map();
  const { rows } = await database.pool.query<Waiting & { id: MessageId }>({
    name: 'read-waiting',
    text: `SELECT m.id, waiting.reason, waiting.until FROM unnest($1::text[]) AS asked (id)
           JOIN messages m ON m.id = asked.id ${joinWaiting} WHERE m.stage = 0 AND waiting.reason IS NOT NULL`,
    values: [ids],
  });
  return new Map(rows.map(({ id, reason, until }) => [id, { reason, until }]));
}
