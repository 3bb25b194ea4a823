/** The operations of imports: an upload becomes contacts. */
import { z } from 'zod';
import { timestamp } from '../fields/timestamp.js';
import { languages } from '../fields/language.js';
import { limits } from '../http/limits.js';
import type { PublicOperation } from '../http/operation-entry.js';
import { attributeKey, consentField, listNames } from './contact-fields.js';
import { readsContacts, refusedBody, writesContacts } from './contact-operations.js';
import { importStates, onExistingWords } from './import-words.js';

const column = z.string().min(1).max(limits.columnNameMaxLength);

const mapping = z.strictObject({
  phone: column.meta({ description: 'The column with phone numbers.', example: 'HP' }),
  name: column.optional(),
  locale: column.optional(),
  time_zone: column.optional(),
  attributes: z
    .record(attributeKey, column)
    .refine((given) => Object.keys(given).length <= limits.attributesMax, `must name at most ${limits.attributesMax}`)
    .optional()
    .meta({ description: 'By attribute, the column that holds it.', example: { kota: 'Kota' } }),
});

const createImportRequest = z
  .strictObject({
    upload_id: z.string().max(64),
    mapping,
    lists: listNames.optional().meta({ description: 'The lists that all contacts of the file are added to.' }),
    consent: consentField.optional().meta({ description: 'The consent of all people in the file.' }),
    on_existing: z.enum(onExistingWords).optional().meta({
      description:
        '`update` (default): the filled cells change a contact that is there already. `keep`: it stays as it is. Both add it to the lists.',
    }),
  })
  .meta({ id: 'CreateContactImportRequest' })
  .transform((body) => ({
    uploadId: body.upload_id,
    mapping: {
      phone: body.mapping.phone,
      name: body.mapping.name ?? null,
      locale: body.mapping.locale ?? null,
      timeZone: body.mapping.time_zone ?? null,
      attributes: body.mapping.attributes ?? {},
    },
    lists: body.lists ?? [],
    consent: body.consent ?? null,
    onExisting: body.on_existing ?? ('update' as const),
  }));

const importId = z.string().meta({ example: 'imp_01kajp4m3s5y8zt0v6qk2c9hbe' });

const contactImport = z
  .object({
    import_id: importId,
    upload_id: z.string(),
    file_name: z.string().nullable(),
    state: z.enum(importStates),
    problem: z
      .object({ code: z.string(), row: z.int().nullable(), error: z.string() })
      .nullable()
      .meta({ description: 'Why it failed. Contacts of earlier rows stay.' }),
    progress: z.number().meta({ description: 'The part of the file that is done, from 0 to 1.' }),
    rows: z.int().meta({ description: 'The rows that are done. Each is in one of the next four counts.' }),
    added: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    refused: z.int(),
    refused_by_code: z.array(z.object({ code: z.string(), rows: z.int(), error: z.string() })),
    created_at: timestamp,
    ended_at: timestamp.nullable(),
  })
  .meta({ id: 'ContactImport' });

const refusedRow = z
  .object({
    row: z.int().meta({ description: 'The number that a spreadsheet shows beside the row.' }),
    column: z.string().nullable().meta({ description: 'Null: the whole row.' }),
    value: z.string().meta({ description: 'The cell, or its beginning.' }),
    code: z.string().meta({ example: 'ruined_by_excel' }),
    same_as_row: z
      .int()
      .nullable()
      .meta({ description: 'For `duplicate_in_file`: the row that has the number first.' }),
    error: z.string().meta({ description: 'A sentence that says what to do.' }),
  })
  .meta({ id: 'RefusedRow' });

const refusedQuery = z
  .object({
    limit: z.coerce.number().int().min(1).max(limits.feedMaxEvents).optional(),
    cursor: z
      .string()
      .regex(/^[0-9]{1,9}$/, 'must be a next_cursor of an earlier answer')
      .optional(),
  })
  .transform((query) => ({ limit: query.limit ?? limits.feedDefaultEvents, after: Number(query.cursor ?? 0) }));

const refusedFileQuery = z.object({
  language: z.enum(languages).optional().meta({ description: 'The language of the reasons. `en` if left out.' }),
});

export const importOperations = {
  createContactImport: {
    ...writesContacts,
    method: 'POST',
    path: '/api/v1/contacts/imports',
    summary:
      'Import contacts from an upload. A worker does it. An upload is imported once; a repeat returns that import.',
    audit: { whose: 'all', actions: ['contacts.imported'] },
    body: createImportRequest,
    data: contactImport,
    message: 'Import begun',
    errors: [
      ...refusedBody,
      'UPLOAD_NOT_FOUND',
      'UPLOAD_NOT_READY',
      'UPLOAD_NOT_READABLE',
      'IMPORT_LIMIT_REACHED',
      'REPLAYED_REQUEST',
      'SERVICE_UNAVAILABLE',
    ],
  },
  getContactImport: {
    ...readsContacts,
    method: 'GET',
    path: '/api/v1/contacts/imports/{import_id}',
    summary: 'Look up an import: its progress, its counts and why rows were refused.',
    query: null,
    data: contactImport,
    message: 'Import found',
    errors: ['IMPORT_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  cancelContactImport: {
    ...writesContacts,
    method: 'POST',
    path: '/api/v1/contacts/imports/{import_id}/cancel',
    summary: 'Stop an import. Contacts that it has added or changed stay.',
    audit: { whose: 'all', actions: ['contacts.import_cancelled'] },
    body: null,
    data: contactImport,
    message: 'Import cancelled',
    errors: ['IMPORT_NOT_FOUND', 'IMPORT_ENDED', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  listRefusedRows: {
    ...readsContacts,
    method: 'GET',
    path: '/api/v1/contacts/imports/{import_id}/refused',
    summary: 'List the rows that an import refused, in the order of the file, with advice.',
    query: refusedQuery,
    data: z.object({ refused: z.array(refusedRow), next_cursor: z.string().nullable() }),
    message: 'Refused rows listed',
    errors: ['INVALID_REQUEST', 'IMPORT_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  exportRefusedRows: {
    ...readsContacts,
    method: 'GET',
    path: '/api/v1/contacts/imports/{import_id}/refused.csv',
    summary:
      'Download the rows that an import refused, as CSV with the separator and the columns of the file, and a last column with the reason.',
    query: refusedFileQuery,
    answers: 'file',
    data: z.string(),
    message: 'Refused rows exported',
    errors: ['INVALID_REQUEST', 'IMPORT_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<string, PublicOperation>;
