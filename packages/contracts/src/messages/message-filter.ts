/** The filter of an account's messages. Lists, exports and cancelling share it. */
import { z } from 'zod';
import { clientRef } from '../fields/client-ref.js';
import { plainNumber, plainText } from '../fields/plain-text.js';
import { isStorableText, notStorable } from '../fields/storable-text.js';
import { shownStatus } from './job.js';
import { messagePriorities } from './message-priorities.js';
import { type MessageReason, messageReasons } from './message-reasons.js';

const instant = z.iso
  .datetime({ offset: true, message: 'must be an ISO 8601 time with offset, like 2026-11-21T09:00:00Z' })
  .meta({ example: '2026-11-21T09:00:00Z' });

export const messageFilterFields = z.object({
  status: shownStatus.optional(),
  device_id: plainText.optional(),
  phone_destination: plainNumber.optional(),
  client_ref: clientRef.optional(),
  priority: z.enum(messagePriorities).optional(),
  broadcast_id: plainText.optional().meta({ description: 'Only messages that this broadcast released.' }),
  since: instant.optional().meta({ description: 'Only messages that were accepted at this time or later.' }),
  until: instant.optional().meta({ description: 'Only messages that were accepted before this time.' }),
});

/** Null if there is no time. */
export const timeOf = (text: string | undefined) => (text === undefined ? null : new Date(text));

export const messageFilterOf = (fields: z.output<typeof messageFilterFields>) => ({
  status: fields.status ?? null,
  deviceId: fields.device_id ?? null,
  recipient: fields.phone_destination ?? null,
  clientRef: fields.client_ref ?? null,
  priority: fields.priority ?? null,
  broadcastId: fields.broadcast_id ?? null,
  since: timeOf(fields.since),
  until: timeOf(fields.until),
});

// The record has exactly these keys; Object.keys only knows `string`.
const reasonWords = Object.keys(messageReasons) as [MessageReason, ...MessageReason[]];

/** Lists and exports take these as well. */
export const messageSearchFields = messageFilterFields.extend({
  api_key: plainText.optional().meta({ description: 'Only messages that this key sent.' }),
  reason: z.enum(reasonWords).optional().meta({ description: 'Only messages with this reason.' }),
  q: z.string().trim().max(64).refine(isStorableText, notStorable).optional().meta({
    description:
      'A job id or a client_ref. Or 4 digits or more of a phone number. Or 3 characters or more of a client_ref or of the name of a broadcast.',
  }),
});

export const messageSearchOf = (fields: z.output<typeof messageSearchFields>) => ({
  ...messageFilterOf(fields),
  apiKey: fields.api_key ?? null,
  reason: fields.reason ?? null,
  search: fields.q === undefined || fields.q === '' ? null : fields.q,
});

export const updatedSince = instant.optional().meta({ description: 'Only jobs with an event at this time or later.' });

const waitingStatuses = ['queued', 'scheduled'] as const;

export const cancelMessagesRequest = z
  .strictObject({
    filter: messageFilterFields
      .extend({ status: z.enum(waitingStatuses).optional() })
      .strict()
      .refine(
        (filter) => Object.keys(filter).length > 0,
        'must name at least one field: an empty filter would cancel everything',
      )
      .meta({
        description: 'Name at least one field. Kurir cancels only waiting messages, whatever the filter names.',
      }),
  })
  .transform(({ filter }) => messageFilterOf(filter))
  .meta({ id: 'CancelMessagesRequest' });
