/** Formats webhooks, attempts and replays for people. */
import type { Answer, Webhook, WebhookAttempt } from '../../contract/call-types.js';
import type { Cli } from '../terminal/cli.js';
import { type Field, harmless, tableLines } from '../terminal/layout.js';
import { fromNow, localTime } from '../terminal/moments.js';

type Paint = Cli['paint'];
type FailedEvent = Answer<'listFailedEvents'>['events'][number];
type Replay = Answer<'getWebhook'>['replays'][number];

function colourOf(state: string, paint: Paint): (text: string) => string {
  if (state === 'healthy' || state === 'delivered') return paint.green;
  return state === 'new' || state === 'retrying' || state === 'probed' ? paint.yellow : paint.red;
}

export function webhookTable(webhooks: readonly Webhook[], { paint }: Cli): string[] {
  if (webhooks.length === 0) return ['No webhooks. Create one: kurir webhook create https://shop.example.com/kurir'];
  const rows = webhooks.map(({ webhookId, url, health }) => [webhookId, health.state, url]);
  return tableLines(rows, (cell, column) => (column === 1 ? colourOf(cell.trim(), paint)(cell) : cell));
}

const orAll = (names: readonly string[], all: string) => (names.length === 0 ? all : names.join(', '));

export function webhookFields(webhook: Webhook, nowMs: number): Field[] {
  const { health } = webhook;
  const ago = (time: string | null) => (time === null ? null : fromNow(time, nowMs));
  const [, old] = webhook.secrets;
  return [
    ['webhook', webhook.webhookId],
    ['url', webhook.url],
    ['description', webhook.description || null],
    ['state', [health.state, webhook.disabledReason].filter((part) => part !== null).join(', ')],
    ['types', orAll(webhook.types, 'the usual ones')],
    ['devices', orAll(webhook.deviceIds, 'all')],
    ['mode', webhook.mode],
    ['at most', webhook.maxPerSecond === null ? null : `${webhook.maxPerSecond} a second`],
    ['last success', ago(health.lastSuccessAt)],
    ['last failure', ago(health.lastFailureAt)],
    ['failing since', ago(health.failingSince)],
    ['next probe', ago(health.nextProbeAt)],
    ['waiting', String(health.waitingEvents)],
    ['failed', String(health.failedEvents)],
    ['old secret', old?.expiresAt ? `ends ${fromNow(old.expiresAt, nowMs)}` : null],
  ];
}

export function replayLine(replay: Replay): string {
  const progress = replay.endedAt === null ? `${replay.readEvents} of ${replay.events}` : `${replay.events}, ended`;
  return `${replay.replayId}  ${localTime(replay.since)} to ${localTime(replay.until)}  ${progress}`;
}

const resultOf = ({ status, error }: WebhookAttempt) => error ?? (status === null ? '' : String(status));

export function attemptLine(attempt: WebhookAttempt, paint: Paint): string {
  const { at, outcome, type, eventId, tries, durationMs } = attempt;
  const colour = colourOf(outcome, paint);
  const result = `${resultOf(attempt)} ${durationMs} ms, try ${tries}`;
  return `${paint.dim(localTime(at))}  ${colour(outcome.padEnd(9))}  ${harmless(type)}  ${harmless(eventId)}  ${harmless(result)}`;
}

export function failedLine({ failedAt, type, eventId, tries }: FailedEvent, paint: Paint): string {
  return `${paint.dim(localTime(failedAt))}  ${harmless(type ?? 'erased')}  ${harmless(eventId)}  ${tries} tries`;
}
