/** The requests for the results of a broadcast, and for a message that tries its text. */
import { z } from 'zod';
import { languages } from '../fields/language.js';
import { timeZoneField } from '../fields/time-zone.js';
import { phoneDestination } from '../fields/phone-destination.js';
import { templateValues } from '../templates/template-fields.js';

export const resultsQuery = z
  .object({
    format: z.enum(['csv', 'ndjson']).optional().meta({ description: '`csv` if left out.' }),
    time_zone: timeZoneField.optional().meta({
      description: 'The time zone of the times in the CSV file, such as Asia/Jakarta. UTC if left out.',
    }),
    language: z.enum(languages).optional().meta({
      description:
        'Given: a CSV file for people, with headers, statuses and reasons in this language. Left out: one for programs, with words of the api.',
    }),
  })
  .transform((query) => ({
    format: query.format ?? ('csv' as const),
    timeZone: query.time_zone ?? null,
    language: query.language ?? null,
  }));

export const testBroadcastRequest = z
  .strictObject({
    phone: phoneDestination,
    values: templateValues.optional().meta({
      description: 'The values for the text, by name. If left out, those of the first recipient who gets a message.',
      example: { nama: 'Budi' },
    }),
  })
  .meta({ id: 'TestBroadcastRequest' })
  .transform((body) => ({ phone: body.phone, values: body.values ?? null }));
