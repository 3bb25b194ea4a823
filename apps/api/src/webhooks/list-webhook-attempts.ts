import { ApiError } from '@kurir/contracts';
import { readAttempts } from '@kurir/database/webhooks';
import type { Handler } from '../operations/operation-request.js';
import { isVisible, visibleDevices } from '../operations/test-keys.js';
import { requireWebhook } from './require-webhook.js';
import { showEventsAt } from './show-events-at.js';

function parseCursor(cursor: string | null): bigint | null {
  if (cursor === null) return null;
  if (!/^\d{1,18}$/.test(cursor))
    throw new ApiError('INVALID_REQUEST', 'cursor: must be a next_cursor of an earlier answer.');
  return BigInt(cursor);
}

export const listWebhookAttempts: Handler<'listWebhookAttempts'> = async (request, api) => {
  const { caller, params, query } = request;
  const { accountId } = caller;
  const { outcome, eventId, limit } = query;
  const filter = { outcome, eventId, limit, before: parseCursor(query.cursor) };
  const webhook = await requireWebhook(api.database, accountId, params.webhook_id);
  const { rows, nextCursor } = await readAttempts(api.database, webhook.id, filter);
  const places = rows.map(({ position, eventAt }) => ({ position, at: eventAt }));
  const eventAt = await showEventsAt(api, accountId, places);
  const visible = await visibleDevices(api.database, caller);
  const isShown = (row: (typeof rows)[number]) =>
    row.type === 'webhook.ping' || isVisible(visible, eventAt(row.position)?.device_id ?? null);
  const attempts = rows.filter(isShown).map((row) => ({
    attempt_id: row.id,
    event_id: row.eventId,
    type: row.type,
    event: eventAt(row.position),
    at: row.at.toISOString(),
    tries: row.tries,
    outcome: row.outcome,
    status: row.status,
    error: row.error,
    duration_ms: row.durationMs,
    response: row.response,
    next_try_at: row.nextTryAt?.toISOString() ?? null,
  }));
  return { attempts, next_cursor: nextCursor };
};
