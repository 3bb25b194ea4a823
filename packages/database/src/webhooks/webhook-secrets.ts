/** The secrets of webhooks. They are stored sealed, because signing needs the secret itself. */
import type { Database } from '../postgres/connect.js';
import type { Sealer } from '../postgres/sealer.js';

export const webhookSecretAad = (accountId: string, webhookId: string, version: number) =>
  `webhook|${accountId}|${webhookId}|${version}`;

/** `expiresAt`: the end of a rotation. Null: the present secret. */
export type WebhookSecret = { readonly secret: string; readonly expiresAt: Date | null };

type SecretRow = { accountId: string; webhookId: string; version: number; sealed: Buffer; expiresAt: Date | null };

/** The live secrets of each webhook, the newest first. Two are live during a rotation. */
export async function readWebhookSecrets(
  { pool }: Database,
  sealer: Sealer,
  webhookIds: readonly string[],
): Promise<ReadonlyMap<string, readonly WebhookSecret[]>> {
  const { rows } = await pool.query<SecretRow>({
    name: 'webhook-secrets',
    text: `SELECT w.account_id AS "accountId", s.webhook_id AS "webhookId", s.version, s.sealed,
             s.expires_at AS "expiresAt"
           FROM webhook_secrets s JOIN webhooks w ON w.id = s.webhook_id
           WHERE s.webhook_id = ANY ($1::text[]) AND (s.expires_at IS NULL OR s.expires_at > now())
           ORDER BY s.webhook_id, s.version DESC`,
    values: [webhookIds],
  });
  const secrets = new Map<string, WebhookSecret[]>();
  for (const { accountId, webhookId, version, sealed, expiresAt } of rows) {
    const secret = sealer.open(sealed, webhookSecretAad(accountId, webhookId, version)).toString('utf8');
    secrets.set(webhookId, [...(secrets.get(webhookId) ?? []), { secret, expiresAt }]);
  }
  return secrets;
}
