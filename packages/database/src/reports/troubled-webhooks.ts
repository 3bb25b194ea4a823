import type { AccountId, WebhookDisabledReason, WebhookId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';

export type TroubledWebhook = {
  readonly id: WebhookId;
  readonly accountId: AccountId;
  readonly accountName: string;
  /** Without user, path and query, which may hold a secret of the customer. */
  readonly origin: string;
  readonly enabled: boolean;
  readonly disabledReason: WebhookDisabledReason | null;
  readonly failingSince: Date | null;
  readonly lastSuccessAt: Date | null;
  /** Events that wait for a retry. */
  readonly waiting: number;
};

/** The webhooks of all accounts that fail, or that Kurir disabled. Those that have failed for longest come first. */
export async function readTroubledWebhooks(
  { lists }: Pick<Database, 'lists'>,
  limit: number,
): Promise<TroubledWebhook[]> {
  const { rows } = await lists.query<TroubledWebhook & { url: string }>(
    `SELECT w.id, w.account_id AS "accountId", a.name AS "accountName", w.url, w.enabled,
            w.disabled_reason AS "disabledReason", r.failing_since AS "failingSince", r.last_success_at AS "lastSuccessAt",
            (SELECT count(*)::int FROM webhook_retries t WHERE t.webhook_id = w.id AND t.failed_at IS NULL) AS waiting
     FROM webhooks w JOIN webhook_readers r ON r.webhook_id = w.id JOIN accounts a ON a.id = w.account_id
     WHERE w.disabled_reason IS NOT NULL OR (w.enabled AND r.failing_since IS NOT NULL)
     ORDER BY r.failing_since NULLS LAST, w.id LIMIT $1`,
    [limit],
  );
  return rows.map(({ url, ...row }) => ({ ...row, origin: new URL(url).origin }));
}
