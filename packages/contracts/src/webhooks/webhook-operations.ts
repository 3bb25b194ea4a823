/** The operations of webhooks. */
import { z } from 'zod';
import { limits } from '../http/limits.js';
import type { OperationForPeople, PublicOperation } from '../http/operation-entry.js';
import { pageQuery } from '../http/page-query.js';
import { attempt, eventId, failedEvent, replay, webhook, webhookId } from './webhook-fields.js';
import {
  attemptsQuery,
  createWebhookRequest,
  debugWebhookAnswer,
  debugWebhookRequest,
  replayRequest,
  resendRequest,
  updateWebhookRequest,
} from './webhook-requests.js';

const reads = {
  scope: 'webhooks:read',
  testKeys: 'sandbox',
  access: 'viewer',
  audit: null,
  device: false,
  repeat: 'harmless',
  maxBodyBytes: limits.bodyMaxBytes,
  body: null,
} as const;

const writes = {
  scope: 'webhooks:write',
  testKeys: 'sandbox',
  access: 'developer',
  device: false,
  repeat: 'refuse',
  maxBodyBytes: limits.bodyMaxBytes,
  query: null,
} as const;

const refusedBody = ['MALFORMED_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'INVALID_REQUEST'] as const;

const secret = z.string().meta({
  description: 'The secret that signs. Only this answer shows it.',
  example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
});
const cursor = z.string().nullable().meta({ description: 'Pass it as cursor for the next page. Null: no more.' });
const ofWebhook = z.object({ webhook_id: webhookId });

export const webhookOperations = {
  createWebhook: {
    ...writes,
    method: 'POST',
    path: '/api/v1/webhooks',
    summary: 'Create a webhook. It gets the events that happen from now on. Only this answer shows its secret.',
    audit: { whose: 'all', actions: ['webhook.created'] },
    body: createWebhookRequest,
    data: z.object({ webhook, secret }),
    message: 'Webhook created',
    errors: [
      ...refusedBody,
      'WEBHOOK_URL_NOT_ALLOWED',
      'WEBHOOK_LIMIT_REACHED',
      'REPLAYED_REQUEST',
      'SERVICE_UNAVAILABLE',
    ],
  },
  listWebhooks: {
    ...reads,
    method: 'GET',
    path: '/api/v1/webhooks',
    summary: 'List the webhooks, oldest first, with their health and without secrets.',
    query: null,
    data: z.object({ webhooks: z.array(webhook) }),
    message: 'Webhooks listed',
    errors: ['SERVICE_UNAVAILABLE'],
  },
  getWebhook: {
    ...reads,
    method: 'GET',
    path: '/api/v1/webhooks/{webhook_id}',
    summary: 'Look up a webhook with its health and its last replays.',
    query: null,
    data: z.object({ webhook, replays: z.array(replay).meta({ description: 'The last ten, newest first.' }) }),
    message: 'Webhook found',
    errors: ['WEBHOOK_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  updateWebhook: {
    ...writes,
    method: 'PATCH',
    path: '/api/v1/webhooks/{webhook_id}',
    summary:
      'Change a webhook. A field that you leave out stays as it is. A webhook that you enable goes on with the first event that it did not get.',
    audit: { whose: 'all', actions: ['webhook.changed'] },
    body: updateWebhookRequest,
    data: z.object({ webhook }),
    message: 'Webhook changed',
    errors: [...refusedBody, 'WEBHOOK_URL_NOT_ALLOWED', 'WEBHOOK_NOT_FOUND', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  deleteWebhook: {
    ...writes,
    method: 'DELETE',
    path: '/api/v1/webhooks/{webhook_id}',
    summary: 'Delete a webhook, with its secrets, attempts and waiting events.',
    audit: { whose: 'all', actions: ['webhook.deleted'] },
    body: null,
    data: ofWebhook,
    message: 'Webhook deleted',
    errors: ['WEBHOOK_NOT_FOUND', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  rotateWebhookSecret: {
    ...writes,
    method: 'POST',
    path: '/api/v1/webhooks/{webhook_id}/rotate-secret',
    summary: `Give a webhook a new secret. For ${limits.webhookRotationHours} hours both secrets sign. Only this answer shows the new one.`,
    audit: { whose: 'all', actions: ['webhook.secret_rotated'] },
    body: null,
    data: z.object({ webhook, secret }),
    message: 'Secret rotated',
    errors: ['WEBHOOK_NOT_FOUND', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  pingWebhook: {
    ...writes,
    method: 'POST',
    path: '/api/v1/webhooks/{webhook_id}/ping',
    summary: 'Send the event `webhook.ping` to this webhook alone. Its result appears among the attempts.',
    audit: null,
    body: null,
    data: z.object({ webhook_id: webhookId, event_id: eventId }),
    message: 'Ping sent',
    errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  replayWebhook: {
    ...writes,
    method: 'POST',
    path: '/api/v1/webhooks/{webhook_id}/replay',
    summary: 'Send the events of a span once more. With dry_run the answer only says how many they are.',
    audit: { whose: 'all', actions: ['webhook.replayed'] },
    body: replayRequest,
    data: z.object({
      events: z.int(),
      replay: replay.nullable().meta({ description: 'Null: dry_run, or the span has no event.' }),
    }),
    message: 'Events counted',
    errors: [...refusedBody, 'WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  listWebhookAttempts: {
    ...reads,
    method: 'GET',
    path: '/api/v1/webhooks/{webhook_id}/attempts',
    summary: 'List attempts to deliver, newest first: every failure, every ping and a sample of successes.',
    query: attemptsQuery,
    data: z.object({ attempts: z.array(attempt), next_cursor: cursor }),
    message: 'Attempts listed',
    errors: ['INVALID_REQUEST', 'WEBHOOK_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  listFailedEvents: {
    ...reads,
    method: 'GET',
    path: '/api/v1/webhooks/{webhook_id}/failed-events',
    summary: 'List the events that used all tries, newest first.',
    query: pageQuery,
    data: z.object({ events: z.array(failedEvent), next_cursor: cursor }),
    message: 'Failed events listed',
    errors: ['INVALID_REQUEST', 'WEBHOOK_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  resendEvent: {
    ...writes,
    method: 'POST',
    path: '/api/v1/events/{event_id}/resend',
    summary: 'Send one event to a webhook once more, with all its tries.',
    audit: null,
    body: resendRequest,
    data: z.object({ webhook_id: webhookId, event_id: eventId }),
    message: 'Event waits to be sent',
    errors: [
      ...refusedBody,
      'WEBHOOK_NOT_FOUND',
      'EVENT_NOT_FOUND',
      'WEBHOOK_DISABLED',
      'REPLAYED_REQUEST',
      'SERVICE_UNAVAILABLE',
    ],
  },
} as const satisfies Record<string, PublicOperation>;

/** Only people use these. */
export const webhookOperationsForPeople = {
  debugWebhook: {
    method: 'POST',
    path: '/app/api/webhooks/{webhook_id}/debug',
    summary:
      'Say why a receiver refused a delivery: its id, its time, its signature, its secret or its body. It shows no secret and no right signature.',
    access: 'developer',
    audit: null,
    whileSuspended: true,
    body: debugWebhookRequest,
    query: null,
    data: debugWebhookAnswer,
    message: 'Delivery examined',
    errors: ['WEBHOOK_NOT_FOUND'],
  },
} as const satisfies Record<string, OperationForPeople>;
