/** The fields of webhooks, attempts and replays. */
import { z } from 'zod';
import { event } from '../events/event.js';
import { deviceId } from '../fields/id-fields.js';
import { timestamp } from '../fields/timestamp.js';
import {
  attemptOutcomes,
  webhookDisabledReasons,
  webhookErrors,
  webhookErrorWords,
  webhookModes,
} from './webhook-words.js';

export const webhookId = z.string().meta({ example: 'whk_01kajp4m3s5y8zt0v6qk2c9hbe' });
export const eventId = z.string().meta({ example: 'evt_msg_01kajp4m3s5y8zt0v6qk2c9hbe_4_1' });

const health = z.object({
  state: z.enum(['new', 'healthy', 'failing', 'probed', 'disabled']).meta({
    description:
      '`new`: it has got no event yet. `failing`: the last attempt failed. `probed`: it only fails, so Kurir tries one event from time to time.',
  }),
  last_success_at: timestamp.nullable(),
  last_failure_at: timestamp.nullable(),
  failing_since: timestamp.nullable().meta({ description: 'Since then no attempt has succeeded.' }),
  next_probe_at: timestamp.nullable(),
  waiting_events: z.int().meta({ description: 'Events that failed and are tried again.' }),
  failed_events: z.int().meta({ description: 'Events that used all tries. Send them again with resend.' }),
});

export const webhook = z
  .object({
    webhook_id: webhookId,
    url: z.string(),
    description: z.string(),
    types: z.array(z.string()).meta({
      description:
        'Empty: all types but `message.accepted`, `message.sending`, `message.waiting` and `message.sent_elsewhere`.',
    }),
    device_ids: z.array(deviceId).meta({ description: 'Empty: all devices, and events without a device.' }),
    mode: z.enum(webhookModes),
    max_per_second: z.int().nullable(),
    enabled: z.boolean(),
    disabled_reason: z.enum(webhookDisabledReasons).nullable().meta({
      description:
        '`gone`: the address answered 410. `failing`: for 72 hours it only failed. Null: somebody disabled it.',
    }),
    created_at: timestamp,
    secrets: z
      .array(z.object({ version: z.int(), created_at: timestamp, expires_at: timestamp.nullable() }))
      .meta({ description: 'The secrets that sign, newest first. Two are live for 24 hours after a rotation.' }),
    health,
  })
  .meta({ id: 'Webhook' });

export const replay = z
  .object({
    replay_id: z.string().meta({ example: 'rpl_01kajp4m3s5y8zt0v6qk2c9hbe' }),
    since: timestamp,
    until: timestamp,
    types: z.array(z.string()).meta({ description: 'Empty: the types of the webhook.' }),
    events: z.int().meta({ description: 'The events of the span when the replay began.' }),
    read_events: z.int().meta({ description: 'How many of them Kurir has taken up so far.' }),
    created_at: timestamp,
    ended_at: timestamp.nullable(),
  })
  .meta({ id: 'WebhookReplay' });

const errorDescription = webhookErrorWords.map((word) => `\`${word}\`: ${webhookErrors[word]}`).join(' ');

export const attempt = z
  .object({
    attempt_id: z.string(),
    event_id: eventId,
    type: z.string(),
    event: event.nullable().meta({ description: 'The event as the feed shows it. Null: it is erased.' }),
    at: timestamp,
    tries: z.int().meta({ description: 'Which try of the event this was, from 1.' }),
    outcome: z.enum(attemptOutcomes),
    status: z.int().nullable().meta({ description: 'The status of the answer. Null: none came.' }),
    error: z
      .string()
      .nullable()
      .meta({ description: `Why it failed, apart from the status. ${errorDescription}` }),
    duration_ms: z.int(),
    response: z.string().nullable().meta({ description: 'The beginning of the answer.' }),
    next_try_at: timestamp.nullable(),
  })
  .meta({ id: 'WebhookAttempt' });

export const failedEvent = z
  .object({
    event_id: eventId,
    type: z.string().nullable().meta({ description: 'Null: the event is erased.' }),
    event: event.nullable(),
    event_at: timestamp,
    tries: z.int(),
    failed_at: timestamp,
  })
  .meta({ id: 'FailedEvent' });
