/** The operations of uploads: files of rows that are too big for one request. */
import { z } from 'zod';
import { isStorableText, notStorable } from '../fields/storable-text.js';
import { timestamp } from '../fields/timestamp.js';
import { limits } from '../http/limits.js';
import type { PublicOperation } from '../http/operation-entry.js';

const uploadId = z.string().meta({ example: 'upl_01kajp4m3s5y8zt0v6qk2c9hbe' });

const uploadFields = {
  upload_id: uploadId,
  file_name: z.string().nullable(),
  bytes: z.int().meta({ description: 'The size of the whole file.' }),
  received_bytes: z.int(),
  parts: z.int().meta({ description: 'How many parts have arrived.' }),
  part_max_bytes: z.int().meta({ description: 'The largest part, before it becomes base64.' }),
  is_complete: z.boolean(),
  created_at: timestamp,
  expires_at: timestamp.meta({ description: 'When the parts are deleted, if nothing has read them by then.' }),
};

const upload = z.object(uploadFields).meta({ id: 'Upload' });

const mapping = z.object({
  phone: z.string().nullable(),
  name: z.string().nullable(),
  locale: z.string().nullable(),
  time_zone: z.string().nullable(),
});

const file = z
  .object({
    form: z.enum(['csv', 'ndjson']),
    encoding: z.string().meta({ example: 'utf-8' }),
    separator: z.enum([',', ';', '\t']).nullable().meta({ description: 'Null: the file is NDJSON.' }),
    columns: z.array(z.string()).meta({ example: ['HP', 'Nama'] }),
    mapping: mapping.meta({
      description: 'The columns that probably hold these fields. Null: no column looks like it.',
    }),
    preview: z
      .array(z.object({ row: z.int(), values: z.array(z.string()) }))
      .meta({ description: `The first ${limits.uploadPreviewRows} rows, with values in the order of the columns.` }),
  })
  .meta({ id: 'UploadedFile' });

const createUploadRequest = z
  .strictObject({
    bytes: z.int().min(1).max(limits.uploadMaxBytes).meta({ description: 'The size of the whole file.' }),
    file_name: z.string().trim().max(limits.fileNameMaxLength).refine(isStorableText, notStorable).optional(),
  })
  .meta({ id: 'CreateUploadRequest' })
  .transform((body) => ({ bytes: body.bytes, fileName: body.file_name || null }));

const base64MaxLength = Math.ceil(limits.uploadPartMaxBytes / 3) * 4;

const uploadPartRequest = z
  .strictObject({
    number: z.int().min(1).max(limits.uploadPartsMax).meta({ description: 'The place of the part, from 1.' }),
    data: z
      .string()
      .min(1, 'must not be empty')
      .max(base64MaxLength, `must hold at most ${limits.uploadPartMaxBytes} bytes`)
      .meta({ description: 'The bytes of the part as base64.', example: 'SFAsTmFtYQo=' }),
  })
  .meta({ id: 'UploadPartRequest' });

const shared = {
  scope: 'contacts:write',
  testKeys: 'never',
  access: 'developer',
  audit: null,
  device: false,
  query: null,
} as const;
const refusedBody = ['MALFORMED_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'INVALID_REQUEST'] as const;

export const uploadOperations = {
  createUpload: {
    ...shared,
    method: 'POST',
    path: '/api/v1/uploads',
    summary: 'Begin to send a file of rows: CSV with commas, semicolons or tabs, or NDJSON. Then send its parts.',
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: createUploadRequest,
    data: upload,
    message: 'Upload begun',
    errors: [...refusedBody, 'UPLOAD_LIMIT_REACHED', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  addUploadPart: {
    ...shared,
    method: 'POST',
    path: '/api/v1/uploads/{upload_id}/parts',
    summary: 'Send a part of the file. Parts may come in any order. The same part twice is one part.',
    repeat: 'harmless',
    maxBodyBytes: limits.bulkBodyMaxBytes,
    body: uploadPartRequest,
    data: upload,
    message: 'Part stored',
    errors: [...refusedBody, 'UPLOAD_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  getUpload: {
    ...shared,
    method: 'GET',
    path: '/api/v1/uploads/{upload_id}',
    summary: 'Look up an upload. From its first part on, the answer shows the form, the columns and the first rows.',
    repeat: 'harmless',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    data: z.object({
      ...uploadFields,
      file: file.nullable().meta({ description: 'Null: the first part is missing, or `problem` says why.' }),
      problem: z
        .object({ code: z.string(), error: z.string() })
        .nullable()
        .meta({ description: 'Why the file cannot be read, with advice.' }),
    }),
    message: 'Upload found',
    errors: ['UPLOAD_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<string, PublicOperation>;
