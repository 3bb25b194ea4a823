/** The filter of an account's messages. Lists, exports and cancelling share it. */
import { z } from 'zod';
import { clientRef } from '../fields/client-ref.js';
import { plainText } from '../fields/plain-text.js';
import { isStorableText, notStorable } from '../fields/storable-text.js';
import { shownStatus } from './job.js';
import { messagePriorities } from './message-priorities.js';

const instant = z.iso
  .datetime({ offset: true, message: 'must be an ISO 8601 time with offset, like 2026-11-21T09:00:00Z' })
  .meta({ example: '2026-11-21T09:00:00Z' });

export const messageFilterFields = z.object({
  status: shownStatus.optional(),
  device_id: plainText.optional(),
  phone_destination: plainText.optional(),
  client_ref: clientRef.optional(),
  priority: z.enum(messagePriorities).optional(),
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
  since: timeOf(fields.since),
  until: timeOf(fields.until),
});

export const searchText = z
  .string()
  .trim()
  .max(64)
  .refine(isStorableText, notStorable)
  .optional()
  .meta({ description: 'A job id, a client_ref, or the beginning of a phone number.' });

/** Null if the search is empty. */
export const searchOf = (text: string | undefined) => (text === undefined || text === '' ? null : text);

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
