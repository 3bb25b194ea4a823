import { ApiError } from '@kurir/contracts';
import { idOfEvent, parsePosition } from '@kurir/database';
import { readFailedEvents } from '@kurir/database/webhooks';
import type { Handler } from '../operations/operation-request.js';
import { requireWebhook } from './require-webhook.js';
import { showEventsAt } from './show-events-at.js';

export const listFailedEvents: Handler<'listFailedEvents'> = async ({ caller, params, query }, api) => {
  const { accountId } = caller;
  const before = query.cursor === null ? null : parsePosition(query.cursor);
  if (query.cursor !== null && before === null)
    throw new ApiError('INVALID_REQUEST', 'cursor: must be a next_cursor of an earlier answer.');
  const webhook = await requireWebhook(api.database, accountId, params.webhook_id);
  const { rows, nextCursor } = await readFailedEvents(api.database, webhook.id, { before, limit: query.limit });
  const places = rows.map(({ position, eventAt }) => ({ position, at: eventAt }));
  const eventAt = await showEventsAt(api, accountId, places);
  const events = rows.map((row) => {
    const event = eventAt(row.position);
    return {
      event_id: idOfEvent(row),
      type: event?.type ?? null,
      event,
      event_at: row.eventAt.toISOString(),
      tries: row.tries,
      failed_at: row.failedAt.toISOString(),
    };
  });
  return { events, next_cursor: nextCursor };
};
