import type { DataOf } from '@kurir/contracts';
import type { Replay, WebhookView } from '@kurir/database/webhooks';

type Shown = DataOf<'getWebhook'>;

const timeOf = (date: Date | null): string | null => date?.toISOString() ?? null;
/** JSON of Postgres has microseconds and an offset. */
const timeOfText = (text: string): string => new Date(text).toISOString();

function stateOf(webhook: WebhookView): Shown['webhook']['health']['state'] {
  if (!webhook.enabled) return 'disabled';
  if (webhook.probes > 0) return 'probed';
  if (webhook.failingSince !== null) return 'failing';
  return webhook.lastSuccessAt === null && webhook.lastFailureAt === null ? 'new' : 'healthy';
}

export const showWebhook = (webhook: WebhookView): Shown['webhook'] => ({
  webhook_id: webhook.id,
  url: webhook.url,
  description: webhook.description,
  types: [...webhook.types],
  device_ids: [...webhook.deviceIds],
  mode: webhook.mode,
  max_per_second: webhook.maxPerSecond,
  enabled: webhook.enabled,
  disabled_reason: webhook.disabledReason,
  created_at: webhook.createdAt.toISOString(),
  secrets: webhook.secrets.map(({ version, createdAt, expiresAt }) => ({
    version,
    created_at: timeOfText(createdAt),
    expires_at: expiresAt === null ? null : timeOfText(expiresAt),
  })),
  health: {
    state: stateOf(webhook),
    last_success_at: timeOf(webhook.lastSuccessAt),
    last_failure_at: timeOf(webhook.lastFailureAt),
    failing_since: timeOf(webhook.failingSince),
    next_probe_at: webhook.enabled ? timeOf(webhook.probeAt) : null,
    waiting_events: webhook.waiting,
    failed_events: webhook.failed,
  },
});

export const showReplay = (replay: Replay): Shown['replays'][number] => ({
  replay_id: replay.id,
  since: replay.since.toISOString(),
  until: replay.until.toISOString(),
  types: [...replay.types],
  events: replay.events,
  read_events: replay.readEvents,
  created_at: replay.createdAt.toISOString(),
  ended_at: timeOf(replay.endedAt),
});
