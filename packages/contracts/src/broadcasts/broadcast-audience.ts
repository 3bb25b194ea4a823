/** The audience of a broadcast: the rows of a request, a file, or contacts. */
import { z } from 'zod';
import { contactFilter } from '../contacts/contact-requests.js';
import { canonicalNumber } from '../fields/phone-destination.js';
import { isRecipientNumber } from '../fields/phone-number.js';
import { isStorableText, notStorable } from '../fields/storable-text.js';
import { limits } from '../http/limits.js';

const valueName = z.string().min(1).max(limits.templateValueNameMaxLength).refine(isStorableText, notStorable);
const hasFewValues = (values: object) => Object.keys(values).length <= limits.templateValuesMax;
const tooManyValues = `must have at most ${limits.templateValuesMax} names`;

const row = z
  .strictObject({
    phone: z.string().max(limits.broadcastWrittenNumberMaxLength).refine(isStorableText, notStorable).meta({
      description: 'The number as people write it. A number that is not possible is kept and skipped.',
      example: '6281234567890',
    }),
    values: z
      .record(valueName, z.string().max(limits.templateValueMaxLength).refine(isStorableText, notStorable))
      .refine(hasFewValues, tooManyValues)
      .optional()
      .meta({ description: 'The values for the text, by name.', example: { nama: 'Budi' } }),
  })
  .meta({ id: 'BroadcastRow' })
  .transform(({ phone, values = {} }) => {
    const number = canonicalNumber(phone);
    return { recipient: isRecipientNumber(number) ? number : null, written: phone, values };
  });

export const rows = z.array(row).max(limits.broadcastMaxRowsOfRequest);

const column = z.string().min(1).max(limits.columnNameMaxLength);

const mapping = z.strictObject({
  phone: column.meta({ description: 'The column with phone numbers.', example: 'HP' }),
  values: z
    .record(valueName, column)
    .refine(hasFewValues, tooManyValues)
    .optional()
    .meta({
      description: 'By value, the column that holds it. If left out, each other column is a value under its own name.',
      example: { nama: 'Nama' },
    }),
});

const given = {
  rows: rows.optional().meta({
    description: `Up to ${limits.broadcastMaxRowsOfRequest} recipients. Add more with \`POST /broadcasts/{broadcast_id}/recipients\`.`,
  }),
  upload_id: z
    .string()
    .max(64)
    .optional()
    .meta({ description: 'A file whose parts have all arrived. The broadcast uses it up.' }),
  mapping: mapping
    .optional()
    .meta({ description: 'For `upload_id`. If left out, Kurir guesses the column with phone numbers.' }),
  contacts: contactFilter
    .optional()
    .meta({ description: 'The contacts that match, as `GET /api/v1/contacts` lists them. An empty filter means all.' }),
};

export type ChosenAudience =
  | { readonly kind: 'rows'; readonly rows: z.output<typeof rows> }
  | {
      readonly kind: 'upload';
      readonly uploadId: string;
      /** Null: guess it. */
      readonly mapping: { readonly phone: string; readonly values: Readonly<Record<string, string>> | null } | null;
    }
  | { readonly kind: 'contacts'; readonly filter: z.output<typeof contactFilter> };

export const audience = z
  .strictObject(given)
  .superRefine((body, context) => {
    const chosen = [body.rows, body.upload_id, body.contacts].filter((each) => each !== undefined);
    if (chosen.length !== 1)
      context.addIssue({ code: 'custom', message: 'must have exactly one of rows, upload_id and contacts' });
    if (body.mapping !== undefined && body.upload_id === undefined)
      context.addIssue({ code: 'custom', path: ['mapping'], message: 'goes with upload_id only' });
  })
  .transform((body): ChosenAudience => {
    if (body.contacts !== undefined) return { kind: 'contacts', filter: body.contacts };
    if (body.upload_id === undefined) return { kind: 'rows', rows: body.rows ?? [] };
    const { phone, values = null } = body.mapping ?? {};
    return { kind: 'upload', uploadId: body.upload_id, mapping: phone === undefined ? null : { phone, values } };
  })
  .meta({
    id: 'BroadcastAudience',
    description:
      'Exactly one of `rows`, `upload_id` and `contacts`. A file and contacts are read by a worker, while the broadcast is `checking`.',
  });

export const plannedShare = z.number().nullable().meta({
  description: 'While it is `checking`: the part of its file or contacts that is read, from 0 to 1. Otherwise null.',
});

export const audienceProblem = z
  .object({
    code: z.string().meta({ example: 'upload_gone' }),
    row: z.int().nullable().meta({ description: 'The row of the file. Null: the whole audience.' }),
    error: z.string().meta({ description: 'A sentence that says what to do.' }),
  })
  .nullable()
  .meta({ description: 'Why its audience could not be read to the end. The broadcast is cancelled then.' });
