/** The bodies and queries of webhooks. The api checks the address, and that the devices are of the account. */
import { z } from 'zod';
import { eventTypeNames, isEventType } from '../events/event-types.js';
import { isStorableText, notStorable } from '../fields/storable-text.js';
import { limits } from '../http/limits.js';
import { pageCursor, pageLimit } from '../http/page-query.js';
import { attemptOutcomes, webhookModes } from './webhook-words.js';

const moment = z.iso.datetime({ offset: true, error: 'must be a time like 2026-11-21T09:00:00.000Z' });

const devicesMax = 100;

const isWithoutDoubles = (values: readonly string[]) => new Set(values).size === values.length;
const noDoubles = 'must name each only once';

const url = z.string().min(1, 'must not be empty').max(limits.webhookUrlMaxLength).meta({
  description:
    'Where Kurir posts events: http or https, without user name, password and fragment. The port is 80, 443 or above 1023. The address must be public.',
  example: 'https://shop.example.com/kurir',
});

const types = z
  .array(z.string().refine(isEventType, `must be an event type, such as ${eventTypeNames[2]}`))
  .max(eventTypeNames.length)
  .refine(isWithoutDoubles, noDoubles)
  .meta({
    description:
      'The types of events that the webhook gets. Empty: all but `message.accepted`, `message.sending`, `message.waiting` and `message.sent_elsewhere`.',
    example: ['message.delivered', 'message.failed'],
  });

const fields = {
  url,
  description: z.string().max(limits.webhookDescriptionMaxLength).refine(isStorableText, notStorable).optional(),
  types: types.optional(),
  device_ids: z
    .array(z.string().max(64))
    .max(devicesMax)
    .refine(isWithoutDoubles, noDoubles)
    .optional()
    .meta({ description: 'Only events of these devices. Empty: of all devices, and events without a device.' }),
  mode: z.enum(webhookModes).optional().meta({
    description:
      '`parallel` (default): many events at once. `ordered`: events of one subject one after the other, in the order of `sequence`.',
  }),
  max_per_second: z
    .int()
    .min(1)
    .max(limits.webhookMaxPerSecond)
    .nullable()
    .optional()
    .meta({ description: 'The most events a second. Null: no limit.' }),
  enabled: z.boolean().optional(),
};

export const createWebhookRequest = z
  .strictObject(fields)
  .meta({ id: 'CreateWebhookRequest' })
  .transform((body) => ({
    url: body.url,
    description: body.description ?? '',
    types: body.types ?? [],
    deviceIds: body.device_ids ?? [],
    mode: body.mode ?? ('parallel' as const),
    maxPerSecond: body.max_per_second ?? null,
    enabled: body.enabled ?? true,
  }));

export const updateWebhookRequest = z
  .strictObject({ ...fields, url: url.optional() })
  .refine((body) => Object.keys(body).length > 0, 'must name at least one thing to change')
  .meta({ id: 'UpdateWebhookRequest' })
  .transform((body) => ({
    url: body.url,
    description: body.description,
    types: body.types,
    deviceIds: body.device_ids,
    mode: body.mode,
    maxPerSecond: body.max_per_second,
    enabled: body.enabled,
  }));

export const replayRequest = z
  .strictObject({
    since: moment.meta({
      description:
        'At most as many days ago as the gateway keeps events (`KURIR_EVENTS_RETENTION_DAYS`, by default 30).',
    }),
    until: moment.optional().meta({ description: 'Default: now.' }),
    types: types.optional(),
    dry_run: z.boolean().optional().meta({ description: 'True: only count the events.' }),
  })
  .meta({ id: 'ReplayWebhookRequest' })
  .transform((body) => ({
    since: new Date(body.since),
    until: body.until === undefined ? null : new Date(body.until),
    types: body.types ?? [],
    dryRun: body.dry_run ?? false,
  }));

export const resendRequest = z
  .strictObject({ webhook_id: z.string().max(64) })
  .meta({ id: 'ResendEventRequest' })
  .transform((body) => ({ webhookId: body.webhook_id }));

export const attemptsQuery = z
  .object({
    outcome: z.enum(attemptOutcomes).optional(),
    event_id: z.string().max(128).optional().meta({ description: 'Only attempts of this event.' }),
    limit: pageLimit,
    cursor: pageCursor,
  })
  .transform((query) => ({
    outcome: query.outcome ?? null,
    eventId: query.event_id ?? null,
    limit: query.limit ?? limits.listDefaultMessages,
    cursor: query.cursor ?? null,
  }));

/** The debugger of deliveries takes what a receiver saw. */
export const debugWebhookRequest = z
  .strictObject({
    headers: z.string().max(16_384).meta({ description: 'The headers as lines `name: value`, or as JSON.' }),
    body: z.string().max(limits.debugBodyMaxLength),
    secret: z.string().max(256).optional().meta({ description: 'The secret that the program uses, to compare it.' }),
  })
  .transform((body) => ({ headers: body.headers, body: body.body, secret: body.secret ?? null }));

export const webhookFindings = [
  'id_missing',
  'timestamp_missing',
  'timestamp_malformed',
  'timestamp_too_old',
  'signature_missing',
  'signature_without_version',
  'secret_malformed',
  'secret_unknown',
  'secret_of_other_webhook',
  'event_unknown',
  'id_differs',
  'body_left_out',
  'body_reformatted',
  'body_with_spaces',
  'body_changed',
  'all_right',
  'unexplained',
] as const;
export type WebhookFinding = (typeof webhookFindings)[number];

export const debugWebhookAnswer = z.object({
  matches: z.boolean(),
  findings: z.array(z.enum(webhookFindings)),
  /** One sentence for each finding. */
  advice: z.array(z.string()),
});
