/** Changes webhooks. Each change raises `version`, so that the reader of the webhook loads it again. */
import { type AccountId, limits, type WebhookId } from '@kurir/contracts';
import { type Audit, audited, noteAudit } from '../accounts/audit.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import type { Sealer } from '../postgres/sealer.js';
import type { NewWebhook } from './create-webhook.js';
import { webhookSecretAad } from './webhook-secrets.js';

/** Undefined: it stays as it is. */
export type WebhookChange = {
  readonly [F in keyof Omit<NewWebhook, 'accountId' | 'secret'>]?: NewWebhook[F] | undefined;
};

type WebhookOf = { readonly accountId: AccountId; readonly webhookId: WebhookId };

/**
 * Returns false if the account has no such webhook. Enabling forgets that the address failed, and the cursor stays. A
 * disabled webhook has no lease to wait for.
 */
export async function changeWebhook(
  database: Database,
  { accountId, webhookId }: WebhookOf,
  change: WebhookChange,
  audit?: Audit,
): Promise<boolean> {
  const { url, description, types, deviceIds, mode, maxPerSecond, enabled } = change;
  return audited(database, audit, webhookId, async (queryable) => {
    const { rowCount } = await queryable.query(
      `WITH changed AS (
         UPDATE webhooks SET url = coalesce($3, url), description = coalesce($4, description), types = coalesce($5, types),
           device_ids = coalesce($6, device_ids), mode = coalesce($7, mode),
           max_per_second = CASE WHEN $8 THEN $9 ELSE max_per_second END, enabled = coalesce($10, enabled),
           disabled_reason = CASE WHEN $10 THEN NULL ELSE disabled_reason END, version = version + 1
         WHERE id = $2 AND account_id = $1
         RETURNING id),
       fresh AS (
         UPDATE webhook_readers SET failing_since = NULL, probes = 0, probe_at = NULL, told_hours = 0
         WHERE $10 AND webhook_id IN (SELECT id FROM changed))
       SELECT 1 FROM changed`,
      [
        accountId,
        webhookId,
        url ?? null,
        description ?? null,
        types ?? null,
        deviceIds ?? null,
        mode ?? null,
        maxPerSecond !== undefined,
        maxPerSecond ?? null,
        enabled ?? null,
      ],
    );
    return rowCount === 1;
  });
}

/** Returns false if the account has no such webhook. Its secrets, attempts and waiting events go with it. */
export const deleteWebhook = (
  database: Database,
  { accountId, webhookId }: WebhookOf,
  audit?: Audit,
): Promise<boolean> =>
  audited(database, audit, webhookId, async (queryable) => {
    const { rowCount } = await queryable.query('DELETE FROM webhooks WHERE id = $2 AND account_id = $1', [
      accountId,
      webhookId,
    ]);
    return rowCount === 1;
  });

/**
 * Returns false if the account has no such webhook. The secret before lives on for the time of a rotation, and older
 * ones end now, so that at most two are live.
 */
export async function rotateWebhookSecret(
  { pool }: Database,
  sealer: Sealer,
  { accountId, webhookId, secret }: WebhookOf & { readonly secret: string },
  audit?: Audit,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      'UPDATE webhooks SET version = version + 1 WHERE id = $2 AND account_id = $1',
      [accountId, webhookId],
    );
    if (rowCount !== 1) return false;
    const { rows } = await client.query<{ last: number }>(
      'SELECT max(version) AS last FROM webhook_secrets WHERE webhook_id = $1',
      [webhookId],
    );
    const last = rows[0]?.last ?? 0;
    const sealed = sealer.seal(Buffer.from(secret), webhookSecretAad(accountId, webhookId, last + 1));
    await client.query('DELETE FROM webhook_secrets WHERE webhook_id = $1 AND version < $2', [webhookId, last]);
    await client.query(
      `UPDATE webhook_secrets SET expires_at = now() + make_interval(hours => $2) WHERE webhook_id = $1`,
      [webhookId, limits.webhookRotationHours],
    );
    await client.query('INSERT INTO webhook_secrets (webhook_id, version, sealed) VALUES ($1, $2, $3)', [
      webhookId,
      last + 1,
      sealed,
    ]);
    if (audit !== undefined) await noteAudit(client, audit, webhookId);
    return true;
  });
}
