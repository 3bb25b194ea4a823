/** Webhooks with their health, for the account that has them. */
import type { AccountId, DeviceId, EventType, WebhookDisabledReason, WebhookId, WebhookMode } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';

export type WebhookView = {
  readonly id: WebhookId;
  readonly accountId: AccountId;
  readonly url: string;
  readonly description: string;
  readonly types: readonly EventType[];
  readonly deviceIds: readonly DeviceId[];
  readonly mode: WebhookMode;
  readonly maxPerSecond: number | null;
  readonly enabled: boolean;
  readonly disabledReason: WebhookDisabledReason | null;
  readonly createdAt: Date;
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  readonly failingSince: Date | null;
  readonly probes: number;
  readonly probeAt: Date | null;
  readonly waiting: number;
  readonly failed: number;
  /** The live ones, newest first. */
  readonly secrets: readonly {
    readonly version: number;
    readonly createdAt: string;
    readonly expiresAt: string | null;
  }[];
};

const columns = `w.id, w.account_id AS "accountId", w.url, w.description, w.types, w.device_ids AS "deviceIds", w.mode,
  w.max_per_second AS "maxPerSecond", w.enabled, w.disabled_reason AS "disabledReason", w.created_at AS "createdAt",
  r.last_success_at AS "lastSuccessAt", r.last_failure_at AS "lastFailureAt", r.failing_since AS "failingSince",
  r.probes, r.probe_at AS "probeAt",
  (SELECT count(*)::int FROM webhook_retries t WHERE t.webhook_id = w.id AND t.failed_at IS NULL) AS waiting,
  (SELECT count(*)::int FROM webhook_retries t WHERE t.webhook_id = w.id AND t.failed_at IS NOT NULL) AS failed,
  (SELECT jsonb_agg(jsonb_build_object('version', s.version, 'createdAt', s.created_at, 'expiresAt', s.expires_at)
     ORDER BY s.version DESC)
   FROM webhook_secrets s WHERE s.webhook_id = w.id AND (s.expires_at IS NULL OR s.expires_at > now())) AS secrets`;

const tables = 'webhooks w JOIN webhook_readers r ON r.webhook_id = w.id';

/** Oldest first. */
export async function listWebhooks({ lists }: Database, accountId: AccountId): Promise<WebhookView[]> {
  const { rows } = await lists.query<WebhookView>(
    `SELECT ${columns} FROM ${tables} WHERE w.account_id = $1 ORDER BY w.created_at, w.id`,
    [accountId],
  );
  return rows;
}

/** Null: the account has no such webhook. */
export async function readWebhook(
  { lists }: Database,
  accountId: AccountId,
  webhookId: string,
): Promise<WebhookView | null> {
  const { rows } = await lists.query<WebhookView>(
    `SELECT ${columns} FROM ${tables} WHERE w.account_id = $1 AND w.id = $2`,
    [accountId, webhookId],
  );
  return rows[0] ?? null;
}

/** A webhook without its health, which is dearer to read. */
export type FoundWebhook = Pick<WebhookView, 'id' | 'accountId' | 'types' | 'deviceIds' | 'enabled'>;

/** Null: the account has no such webhook. */
export async function findWebhook(
  { lists }: Database,
  accountId: AccountId,
  webhookId: string,
): Promise<FoundWebhook | null> {
  const { rows } = await lists.query<FoundWebhook>(
    `SELECT w.id, w.account_id AS "accountId", w.types, w.device_ids AS "deviceIds", w.enabled
     FROM webhooks w WHERE w.account_id = $1 AND w.id = $2`,
    [accountId, webhookId],
  );
  return rows[0] ?? null;
}

/** Returns those of the ids that are no device of the account. */
export async function readUnknownDevices(
  { pool }: Database,
  accountId: AccountId,
  deviceIds: readonly string[],
): Promise<string[]> {
  if (deviceIds.length === 0) return [];
  const { rows } = await pool.query<{ id: string }>({
    name: 'read-unknown-devices',
    text: `SELECT asked.id FROM unnest($2::text[]) AS asked (id)
           WHERE NOT EXISTS (SELECT 1 FROM devices d JOIN device_leases l ON l.device_id = d.id
                             WHERE d.id = asked.id AND d.account_id = $1)`,
    values: [accountId, deviceIds],
  });
  return rows.map(({ id }) => id);
}
