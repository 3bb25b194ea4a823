/** The webhooks of a worker, as their readers need them. */
import type { AccountId, ReplayId, WebhookId, WebhookMode } from '@kurir/contracts';
import type { EventPosition } from '../events/events.js';
import type { Database } from '../postgres/connect.js';

export type WebhookReplay = {
  readonly id: ReplayId;
  readonly types: readonly string[];
  readonly since: Date;
  readonly until: Date;
  readonly position: EventPosition;
};

/** An event that waits for another try. */
export type WaitingRetry = { readonly subjectId: string; readonly position: EventPosition };

export type ReadWebhook = {
  readonly id: WebhookId;
  readonly accountId: AccountId;
  readonly url: string;
  /** Empty: the default types. */
  readonly types: readonly string[];
  /** Empty: all devices. */
  readonly deviceIds: readonly string[];
  readonly mode: WebhookMode;
  readonly maxPerSecond: number | null;
  readonly version: number;
  readonly position: EventPosition;
  /** Zero: it is not probed. */
  readonly probes: number;
  /** In milliseconds from now. */
  readonly probeInMs: number;
  readonly waiting: readonly WaitingRetry[];
};

type Row = Omit<ReadWebhook, 'position' | 'waiting'> & {
  generation: bigint;
  xid: string;
  seq: bigint;
  waiting: [subjectId: string, generation: string, xid: string, seq: string][] | null;
};

export async function readWebhooks({ pool }: Database, ids: readonly WebhookId[]): Promise<ReadWebhook[]> {
  const { rows } = await pool.query<Row>({
    name: 'read-webhooks',
    text: `SELECT w.id, w.account_id AS "accountId", w.url, w.types, w.device_ids AS "deviceIds", w.mode,
             w.max_per_second AS "maxPerSecond", w.version, r.generation, r.xid::text AS xid, r.seq,
             r.probes, coalesce(extract(epoch FROM r.probe_at - now()) * 1000, 0)::float8 AS "probeInMs",
             (SELECT jsonb_agg(jsonb_build_array(t.subject_id, t.generation::text, t.xid::text, t.seq::text))
              FROM webhook_retries t WHERE t.webhook_id = w.id AND t.failed_at IS NULL) AS waiting
           FROM webhooks w JOIN webhook_readers r ON r.webhook_id = w.id WHERE w.id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows.map(({ generation, xid, seq, waiting, ...webhook }) => ({
    ...webhook,
    position: { generation, xid: BigInt(xid), seq },
    waiting: (waiting ?? []).map(([subjectId, ...parts]) => {
      const [ofGeneration, ofXid, ofSeq] = parts.map(BigInt);
      return { subjectId, position: { generation: ofGeneration ?? 0n, xid: ofXid ?? 0n, seq: ofSeq ?? 0n } };
    }),
  }));
}

export type WebhookChange = {
  readonly id: WebhookId;
  readonly enabled: boolean;
  readonly version: number;
  /** The oldest replay that has not ended. */
  readonly replay: WebhookReplay | null;
};

type ChangeRow = Omit<WebhookChange, 'replay'> & {
  replay_id: ReplayId | null;
  types: string[];
  since: Date;
  until: Date;
  generation: bigint;
  xid: string;
  seq: bigint;
};

/** A webhook that is missing here was deleted. */
export async function readWebhookChanges({ pool }: Database, ids: readonly WebhookId[]): Promise<WebhookChange[]> {
  const { rows } = await pool.query<ChangeRow>({
    name: 'webhook-changes',
    text: `SELECT w.id, w.enabled, w.version, p.* FROM webhooks w LEFT JOIN LATERAL (
             SELECT id AS replay_id, types, since, until, generation, xid::text AS xid, seq FROM webhook_replays
             WHERE webhook_id = w.id AND ended_at IS NULL ORDER BY created_at, id LIMIT 1) p ON true
           WHERE w.id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows.map(({ id, enabled, version, replay_id: replayId, types, since, until, generation, xid, seq }) => ({
    id,
    enabled,
    version,
    replay:
      replayId === null ? null : { id: replayId, types, since, until, position: { generation, xid: BigInt(xid), seq } },
  }));
}
