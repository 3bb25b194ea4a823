import { z } from 'zod';
import { deviceId, jobId } from '../fields/id-fields.js';
import { timestamp } from '../fields/timestamp.js';
import { messageCategories } from './message-categories.js';
import { messagePriorities } from './message-priorities.js';
import { type MessageReason, messageReasons, type WaitingReason, waitingReasons } from './message-reasons.js';
import { messageStatuses } from './message-status.js';

export const shownStatus = z.enum([...messageStatuses, 'scheduled']);

// The record has exactly these keys; Object.keys only knows `string`.
const waitingWords = Object.keys(waitingReasons) as [WaitingReason, ...WaitingReason[]];

const waiting = z
  .object({
    reason: z.enum(waitingWords).meta({
      description: waitingWords.map((word) => `\`${word}\`: ${waitingReasons[word]}`).join(' '),
    }),
    until: timestamp.nullable().meta({ description: 'When the wait ends. Null: the time is not known.' }),
  })
  .nullable()
  .meta({
    description:
      'The reason that holds the message back longest. Null: none of these reasons applies. The message waits only for its turn, or does not wait any more.',
  });

// The record has exactly these keys; Object.keys only knows `string`.
const reasonWords = Object.keys(messageReasons) as [MessageReason, ...MessageReason[]];

export const shownReason = z
  .enum(reasonWords)
  .nullable()
  .meta({
    description: `Why the message failed, waits or is \`unknown\`. ${reasonWords.map((word) => `\`${word}\`: ${messageReasons[word]}`).join(' ')}`,
  });

export const timelineEntry = z.object({
  status: shownStatus,
  reason: shownReason.meta({ description: 'The reason for this status, if there is one.' }),
  at: timestamp,
});

export const job = z
  .object({
    job_id: jobId,
    status: shownStatus,
    reason: shownReason,
    network_message_id: z.string().nullable(),
    device_id: deviceId,
    phone_destination: z.string(),
    priority: z.enum(messagePriorities),
    category: z.enum(messageCategories),
    client_ref: z.string().nullable(),
    broadcast_id: z.string().nullable().meta({ description: 'The broadcast that released the message.' }),
    send_at: timestamp.nullable(),
    expires_at: timestamp.nullable(),
    created_at: timestamp,
    waiting,
  })
  .meta({ id: 'Job' });
