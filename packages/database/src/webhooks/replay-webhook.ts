/** Replays: the events of a span are sent to one webhook once more. The worker reads the row and sends them. */
import { type EventType, newId, type ReplayId, type WebhookId } from '@kurir/contracts';
import { type Audit, noteAudit } from '../accounts/audit.js';
import { oldestInFeed } from '../events/feed.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import type { FoundWebhook } from './list-webhooks.js';

export type Replay = {
  readonly id: ReplayId;
  readonly types: readonly string[];
  readonly since: Date;
  readonly until: Date;
  readonly events: number;
  readonly readEvents: number;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
};

const columns = `id, types, since, until, events, read_events AS "readEvents", created_at AS "createdAt", ended_at AS "endedAt"`;

/** The replays of a webhook that may run at the same time. */
const runningMax = 5;

/** Newest first. */
export async function readReplays({ lists }: Database, webhookId: WebhookId, limit: number): Promise<Replay[]> {
  const { rows } = await lists.query<Replay>(
    `SELECT ${columns} FROM webhook_replays WHERE webhook_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
    [webhookId, limit],
  );
  return rows;
}

export type Span = { readonly since: Date; readonly until: Date };

/** The events of the span that the webhook gets. A ping belongs to nobody's history. */
export async function countReplay(
  { lists }: Database,
  webhook: Pick<FoundWebhook, 'accountId' | 'deviceIds'>,
  { since, until }: Span,
  types: readonly EventType[],
): Promise<number> {
  const { rows } = await lists.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM events
     WHERE account_id = $1 AND at >= $2 AND at < $3 AND sequence IS NOT NULL AND kind = ANY ($4::text[])
       AND kind <> 'webhook.ping' AND (cardinality($5::text[]) = 0 OR device_id = ANY ($5::text[]))`,
    [webhook.accountId, since, until, types, webhook.deviceIds],
  );
  return rows[0]?.count ?? 0;
}

type NewReplay = Span & {
  /** Empty: the types of the webhook. */
  readonly types: readonly EventType[];
  readonly events: number;
};

/** Returns `too-many` if the webhook already has five unfinished replays. Null: the span has no event. */
export async function beginReplay(
  database: Database,
  { id: webhookId, accountId }: FoundWebhook,
  { since, until, types, events }: NewReplay,
  audit?: Audit,
): Promise<Replay | 'too-many' | null> {
  const start = await oldestInFeed(database, accountId, since);
  if (start === null) return null;
  return inTransaction(database.pool, async (client) => {
    // The lock makes two crossing requests count one after the other.
    await client.query('SELECT 1 FROM webhooks WHERE id = $1 FOR NO KEY UPDATE', [webhookId]);
    const { rows } = await client.query<Replay>(
      `INSERT INTO webhook_replays (id, webhook_id, types, since, until, generation, xid, seq, events)
       SELECT $1, $2, $3, $4, $5, $6, $7::text::xid8, $8, $9
       WHERE (SELECT count(*) FROM webhook_replays WHERE webhook_id = $2 AND ended_at IS NULL) < $10
       RETURNING ${columns}`,
      [
        newId('rpl'),
        webhookId,
        types,
        since,
        until,
        start.generation,
        String(start.xid),
        start.seq,
        events,
        runningMax,
      ],
    );
    const [begun] = rows;
    if (begun === undefined) return 'too-many';
    if (audit !== undefined) await noteAudit(client, audit, webhookId);
    return begun;
  });
}
