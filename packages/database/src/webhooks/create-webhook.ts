/** Creates a webhook, which begins with the events of later transactions. */
import { type AccountId, limits, newId, type WebhookId, type WebhookMode } from '@kurir/contracts';
import type pg from 'pg';
import { type Audit, noteAudit } from '../accounts/audit.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import type { Sealer } from '../postgres/sealer.js';
import { webhookSecretAad } from './webhook-secrets.js';

export type NewWebhook = {
  readonly accountId: AccountId;
  readonly url: string;
  readonly description: string;
  /** Empty: all types but those that a webhook gets only if it names them. */
  readonly types: readonly string[];
  /** Empty: all devices. */
  readonly deviceIds: readonly string[];
  readonly mode: WebhookMode;
  readonly maxPerSecond: number | null;
  /** By default it is enabled. */
  readonly enabled?: boolean;
  readonly secret: string;
};

async function insert(client: pg.PoolClient, id: WebhookId, webhook: NewWebhook, sealed: Buffer): Promise<void> {
  const { accountId, url, description, types, deviceIds, mode, maxPerSecond, enabled = true } = webhook;
  await client.query(
    `INSERT INTO webhooks (id, account_id, url, description, types, device_ids, mode, max_per_second, enabled)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [id, accountId, url, description, types, deviceIds, mode, maxPerSecond, enabled],
  );
  await client.query('INSERT INTO webhook_secrets (webhook_id, version, sealed) VALUES ($1, 1, $2)', [id, sealed]);
  await client.query(
    `INSERT INTO webhook_readers (webhook_id, generation, xid, seq)
     SELECT $1, event_generation(), pg_snapshot_xmin(pg_current_snapshot()), 0`,
    [id],
  );
}

/** Returns the id, or `too-many` if the account has `limits.webhooksMax` webhooks. */
export async function createWebhook(
  { pool }: Database,
  sealer: Sealer,
  webhook: NewWebhook,
  audit?: Audit,
): Promise<WebhookId | 'too-many'> {
  const { accountId, secret } = webhook;
  const id = newId('whk');
  const sealed = sealer.seal(Buffer.from(secret), webhookSecretAad(accountId, id, 1));
  return inTransaction(pool, async (client) => {
    // The lock makes two crossing requests count one after the other.
    await client.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
    const { rows } = await client.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM webhooks WHERE account_id = $1',
      [accountId],
    );
    if ((rows[0]?.count ?? 0) >= limits.webhooksMax) return 'too-many';
    await insert(client, id, webhook, sealed);
    if (audit !== undefined) await noteAudit(client, audit, id);
    return id;
  });
}
