/**
 * Leases of webhooks. One worker reads the log for a webhook and sends its events. Its lease ends on the clock of the
 * database; the next owner raises the epoch, so each later write of the earlier owner fails.
 */
import type { WebhookId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';

export const webhookLeaseTtlMs = 10_000;

const ttl = `interval '${webhookLeaseTtlMs} milliseconds'`;

export type WebhookLease = { readonly webhookId: WebhookId; readonly owner: string; readonly epoch: bigint };

/** SQL: the lease `$1, $2, $3` stands. */
export const isMine = 'r.webhook_id = $1 AND r.owner = $2 AND r.epoch = $3';
export const leaseValues = ({ webhookId, owner, epoch }: WebhookLease) => [webhookId, owner, epoch];

type LeaseRow = { webhookId: WebhookId; epoch: bigint };

/** Renews the leases of this worker. Returns those that it still has. */
export async function renewWebhooks({ pool }: Database, leases: readonly WebhookLease[]): Promise<WebhookLease[]> {
  const [first] = leases;
  if (first === undefined) return [];
  const { rows } = await pool.query<LeaseRow>({
    name: 'renew-webhooks',
    text: `UPDATE webhook_readers r SET expires_at = now() + ${ttl}
           FROM unnest($2::text[], $3::bigint[]) AS held (webhook_id, epoch)
           WHERE r.webhook_id = held.webhook_id AND r.epoch = held.epoch AND r.owner = $1 AND r.expires_at > now()
           RETURNING r.webhook_id AS "webhookId", r.epoch`,
    values: [first.owner, leases.map(({ webhookId }) => webhookId), leases.map(({ epoch }) => epoch)],
  });
  return rows.map((row) => ({ ...row, owner: first.owner }));
}

/** Any worker may take a webhook that has been free for this long, even above its share. */
const overdueMs = 2_000;

/** The number of enabled webhooks for each live worker, rounded up. */
export async function readWebhookShare({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ share: number }>({
    name: 'webhook-share',
    text: `SELECT ceil((SELECT count(*) FROM webhooks WHERE enabled)::numeric
             / GREATEST(1, (SELECT count(*) FROM worker_processes WHERE expires_at > now())))::int AS share`,
  });
  return rows[0]?.share ?? 0;
}

/** Takes free webhooks: at most `room`, and those beyond that which are overdue. Two workers never take the same one. */
export async function takeWebhooks({ pool }: Database, owner: string, room: number): Promise<WebhookLease[]> {
  const { rows } = await pool.query<LeaseRow>({
    name: 'take-webhooks',
    text: `WITH free AS (
             SELECT r.webhook_id FROM webhook_readers r JOIN webhooks w ON w.id = r.webhook_id
             WHERE w.enabled AND (r.owner IS NULL OR r.expires_at <= now())
             ORDER BY r.expires_at FOR UPDATE OF r SKIP LOCKED LIMIT GREATEST($2::int, 0)),
           overdue AS (
             SELECT r.webhook_id FROM webhook_readers r JOIN webhooks w ON w.id = r.webhook_id
             WHERE w.enabled AND (r.owner IS NULL OR r.expires_at <= now())
               AND r.expires_at < now() - interval '${overdueMs} milliseconds'
             FOR UPDATE OF r SKIP LOCKED)
           UPDATE webhook_readers r SET owner = $1, epoch = r.epoch + 1, expires_at = now() + ${ttl}
           WHERE r.webhook_id IN (SELECT webhook_id FROM free UNION SELECT webhook_id FROM overdue)
             AND (r.owner IS NULL OR r.expires_at <= now())
           RETURNING r.webhook_id AS "webhookId", r.epoch`,
    values: [owner, room],
  });
  return rows.map((row) => ({ ...row, owner }));
}

/** Gives webhooks back, so that other workers can take them at once. */
export async function releaseWebhooks({ pool }: Database, leases: readonly WebhookLease[]): Promise<void> {
  await pool.query({
    name: 'release-webhooks',
    text: `UPDATE webhook_readers r SET owner = NULL, expires_at = now()
           FROM unnest($1::text[], $2::text[], $3::bigint[]) AS held (webhook_id, owner, epoch)
           WHERE r.webhook_id = held.webhook_id AND r.owner = held.owner AND r.epoch = held.epoch`,
    values: [
      leases.map(({ webhookId }) => webhookId),
      leases.map(({ owner }) => owner),
      leases.map(({ epoch }) => epoch),
    ],
  });
}
