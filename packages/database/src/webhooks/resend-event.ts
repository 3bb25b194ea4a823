/** Sends one event to a webhook once more, or a test. The worker takes both up. */
import type { WebhookId } from '@kurir/contracts';
import type { FeedEvent } from '../events/feed.js';
import { idOfEvent } from '../events/show-event.js';
import { type Database, inTransaction } from '../postgres/connect.js';

/** The event gets all its tries again. Twice is the same as once while it waits. */
export async function resendEvent({ pool }: Database, webhookId: WebhookId, event: FeedEvent): Promise<void> {
  const { position, at, subjectId, sequence } = event;
  await pool.query({
    name: 'resend-event',
    text: `INSERT INTO webhook_retries (webhook_id, generation, xid, seq, event_at, subject_id, sequence)
           SELECT id, $2, $3::text::xid8, $4, $5, $6, $7 FROM webhooks WHERE id = $1
           ON CONFLICT (webhook_id, generation, xid, seq) DO UPDATE SET tries = 0, due_at = now(), failed_at = NULL`,
    values: [webhookId, position.generation, String(position.xid), position.seq, at, subjectId, sequence],
  });
}

/**
 * Appends the event `webhook.ping`. Returns its id, or null if the webhook is gone. A webhook that is only probed is probed
 * at once: its reader begins anew.
 */
export async function pingWebhook({ pool }: Database, webhookId: WebhookId): Promise<string | null> {
  return inTransaction(pool, async (client) => {
    await client.query(`SELECT append_event_of_webhook($1, 'webhook.ping', NULL, true)`, [webhookId]);
    await client.query(
      `WITH due AS (
         UPDATE webhook_readers SET probe_at = now() WHERE webhook_id = $1 AND probes > 0 AND probe_at > now() RETURNING webhook_id)
       UPDATE webhooks w SET version = w.version + 1 FROM due WHERE w.id = due.webhook_id`,
      [webhookId],
    );
    const { rows } = await client.query<{ sequence: number; generation: bigint }>(
      'SELECT event_count AS sequence, event_generation() AS generation FROM webhooks WHERE id = $1',
      [webhookId],
    );
    const [row] = rows;
    if (row === undefined) return null;
    const { sequence, generation } = row;
    return idOfEvent({ subjectId: webhookId, sequence, position: { generation } });
  });
}
