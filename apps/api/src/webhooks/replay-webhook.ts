/** Counts the events of a span, and begins to send them once more. The worker sends them. */
import { ApiError, eventTypeNames, isSentByDefault } from '@kurir/contracts';
import { beginReplay, countReplay } from '@kurir/database/webhooks';
import { keptSince } from '../events/kept-since.js';
import type { Handler } from '../operations/operation-request.js';
import { requireEnabledWebhook } from './require-webhook.js';
import { showReplay } from './show-webhook.js';

const refuse = (sentence: string) => new ApiError('INVALID_REQUEST', sentence);

export const replayWebhook: Handler<'replayWebhook'> = async ({ caller, auditAs, params, body }, api) => {
  const { database } = api;
  const { since, types, dryRun } = body;
  const webhook = await requireEnabledWebhook(database, caller.accountId, params.webhook_id);
  const now = new Date(api.now());
  const until = body.until === null || body.until > now ? now : body.until;
  if (since < keptSince(api))
    throw refuse(`since: must be at most ${api.eventDays} days ago. Older events are not kept.`);
  if (since >= until) throw refuse('since: must be before until, and in the past.');
  const named = types.length > 0 ? types : webhook.types;
  const counted = named.length > 0 ? named : eventTypeNames.filter(isSentByDefault);
  const events = await countReplay(database, webhook, { since, until }, counted);
  if (dryRun || events === 0) return { events, replay: null };
  const begun = await beginReplay(database, webhook, { since, until, types, events }, auditAs('webhook.replayed'));
  if (begun === 'too-many')
    throw refuse('Five replays of this webhook are running. Wait until one has ended, or replay one longer span.');
  return { events, replay: begun === null ? null : showReplay(begun) };
};
