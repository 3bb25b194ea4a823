/**
 * The writes of a webhook's reader. Each names the lease: after another worker took it, a write changes nothing and
 * returns false. Only failures get rows; while all is well, the cursor moves about once a second.
 */
import type { ReplayId } from '@kurir/contracts';
import type { EventPosition } from '../events/events.js';
import type { Database } from '../postgres/connect.js';
import { isMine, leaseValues, type WebhookLease } from './webhook-leases.js';

const positionValues = ({ generation, xid, seq }: EventPosition) => [generation, String(xid), seq];

/**
 * Moves the cursor. `hasSucceeded`: the webhook took an event since its last failure. A cursor never moves back.
 */
export async function moveWebhookCursor(
  { pool }: Database,
  lease: WebhookLease,
  position: EventPosition,
  hasSucceeded: boolean,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'move-webhook-cursor',
    text: `UPDATE webhook_readers r SET (generation, xid, seq) = (
             SELECT generation, xid, seq FROM (VALUES (r.generation, r.xid, r.seq), ($4::bigint, $5::xid8, $6::bigint)) p (generation, xid, seq)
             ORDER BY 1 DESC, 2 DESC, 3 DESC LIMIT 1),
             last_success_at = CASE WHEN $7 THEN now() ELSE r.last_success_at END,
             failing_since = CASE WHEN $7 THEN NULL ELSE r.failing_since END,
             told_hours = CASE WHEN $7 THEN 0 ELSE r.told_hours END
           WHERE ${isMine}`,
    values: [...leaseValues(lease), ...positionValues(position), hasSucceeded],
  });
  return rowCount === 1;
}

/** Notes the progress of a replay, and its end. It never moves back. */
export async function moveReplay(
  { pool }: Database,
  lease: WebhookLease,
  id: ReplayId,
  position: EventPosition,
  { readEvents, hasEnded }: { readonly readEvents: number; readonly hasEnded: boolean },
): Promise<void> {
  await pool.query({
    name: 'move-replay',
    text: `UPDATE webhook_replays p SET generation = $5, xid = $6::xid8, seq = $7,
             read_events = LEAST(p.read_events + $8, p.events), ended_at = CASE WHEN $9 THEN now() END
           FROM webhook_readers r
           WHERE ${isMine} AND p.webhook_id = r.webhook_id AND p.id = $4 AND p.ended_at IS NULL
             AND (p.generation, p.xid, p.seq) <= ($5::bigint, $6::xid8, $7::bigint)`,
    values: [...leaseValues(lease), id, ...positionValues(position), readEvents, hasEnded],
  });
}

/**
 * Begins or continues to probe: the next probe is due in `nextMs`. Returns how long the webhook has failed, in
 * milliseconds. Returns null if another worker has the lease.
 */
export async function noteProbe(
  { pool }: Database,
  lease: WebhookLease,
  probes: number,
  nextMs: number,
): Promise<number | null> {
  const { rows } = await pool.query<{ failingMs: number }>({
    name: 'note-probe',
    text: `UPDATE webhook_readers r SET probes = $4, probe_at = now() + $5 * interval '1 millisecond', last_failure_at = now(),
             failing_since = coalesce(r.failing_since, now())
           WHERE ${isMine} RETURNING (extract(epoch FROM now() - failing_since) * 1000)::float8 AS "failingMs"`,
    values: [...leaseValues(lease), probes, nextMs],
  });
  return rows[0]?.failingMs ?? null;
}

/** The webhook took a probe. Its waiting events are due at once. */
export async function noteRecovery({ pool }: Database, lease: WebhookLease): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'note-recovery',
    text: `WITH mine AS (
             UPDATE webhook_readers r SET probes = 0, probe_at = NULL, failing_since = NULL, told_hours = 0, last_success_at = now()
             WHERE ${isMine} AND r.probes > 0 RETURNING webhook_id),
           due AS (
             UPDATE webhook_retries t SET due_at = now() FROM mine
             WHERE t.webhook_id = mine.webhook_id AND t.failed_at IS NULL AND t.due_at > now())
           SELECT append_event_of_webhook(webhook_id, 'webhook.recovered', NULL, true) FROM mine`,
    values: leaseValues(lease),
  });
  return rowCount === 1;
}

/** Tells once that the webhook has failed for so many hours. */
export async function tellFailing({ pool }: Database, lease: WebhookLease, hours: number): Promise<void> {
  await pool.query({
    name: 'tell-failing',
    text: `WITH mine AS (
             UPDATE webhook_readers r SET told_hours = $4 WHERE ${isMine} AND r.told_hours < $4 RETURNING webhook_id)
           SELECT append_event_of_webhook(webhook_id, 'webhook.failing', $4::text, false) FROM mine`,
    values: [...leaseValues(lease), hours],
  });
}

/** Gives the lease back, and disables the webhook if it still has this version. Returns whether it did. */
export async function disableWebhook(
  { pool }: Database,
  lease: WebhookLease,
  version: number,
  reason: 'gone' | 'failing',
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'disable-webhook',
    text: `WITH mine AS (
             UPDATE webhook_readers r SET owner = NULL, expires_at = now() WHERE ${isMine} RETURNING webhook_id),
           off AS (
             UPDATE webhooks w SET enabled = false, disabled_reason = $4, version = version + 1
             FROM mine WHERE w.id = mine.webhook_id AND w.enabled AND w.version = $5 RETURNING w.id)
           SELECT append_event_of_webhook(id, 'webhook.disabled', $4, true) FROM off`,
    values: [...leaseValues(lease), reason, version],
  });
  return rowCount === 1;
}
