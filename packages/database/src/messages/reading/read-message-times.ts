/** Reads when messages were sent, delivered and read, for exports. */
import type { Database } from '../../postgres/connect.js';

export type MessageTimes = {
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly readAt: Date | null;
};

/** The first time of each status, by message. Messages without such a status are missing. */
export async function readMessageTimes(
  { lists }: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MessageTimes>> {
  if (ids.length === 0) return new Map();
  // The bound skips older partitions. It leaves room for a clock that was set back.
  const { rows } = await lists.query<MessageTimes & { id: string }>(
    `SELECT m.id, t."sentAt", t."deliveredAt", t."readAt" FROM messages m CROSS JOIN LATERAL (
       SELECT min(e.at) FILTER (WHERE e.status = 'sent') AS "sentAt",
         min(e.at) FILTER (WHERE e.status = 'delivered') AS "deliveredAt",
         min(e.at) FILTER (WHERE e.status = 'read') AS "readAt"
       FROM message_events e WHERE e.message_id = m.id AND e.at >= m.created_at - interval '1 day') t
     WHERE m.id = ANY ($1::text[]) AND coalesce(t."sentAt", t."deliveredAt", t."readAt") IS NOT NULL`,
    [ids],
  );
  return new Map(rows.map(({ id, ...times }) => [id, times]));
}
