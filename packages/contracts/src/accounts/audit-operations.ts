/** The audit log of an account. */
import { z } from 'zod';
import { timeZoneField } from '../fields/time-zone.js';
import { plainText } from '../fields/plain-text.js';
import { timestamp } from '../fields/timestamp.js';
import { auditGroups, nounsOf } from '../http/audit-actions.js';
import { limits } from '../http/limits.js';
import type { PublicOperation } from '../http/operation-entry.js';
import { pageCursor, pageLimit } from '../http/page-query.js';
import { timeOf } from '../messages/message-filter.js';

export const auditEntry = z.object({
  entry_id: z.string(),
  at: timestamp,
  actor: z.object({ id: z.string(), name: z.string().nullable() }).meta({
    description: 'A person, a key, a payment provider, or the command line of the operator.',
  }),
  action: z.string().meta({ example: 'key.created' }),
  subject: z.string().nullable().meta({ description: 'The id of what the action changed.' }),
  subject_name: z.string().nullable().meta({
    description: 'Its present name. Null: it has no name, or is gone.',
  }),
  number_ends: z.string().nullable().meta({
    description: 'The last digits of the phone number, if the action is about one. The log holds no whole number.',
  }),
  address: z
    .string()
    .nullable()
    .meta({
      description: `The IP address of the caller. Null: the action came without a request, or is older than ${limits.auditAddressDays} days.`,
      example: '203.0.113.7',
    }),
});

const instant = z.iso.datetime({
  offset: true,
  message: 'must be an ISO 8601 time with offset, like 2026-11-21T09:00:00Z',
});

const filterFields = z.object({
  group: z.enum(auditGroups).optional().meta({ description: 'Only actions of this part of the product.' }),
  actor: plainText.optional().meta({ description: 'Only actions of this person or key.' }),
  subject: plainText.optional().meta({ description: 'Only actions on the thing with this id.' }),
  since: instant.optional().meta({ description: 'Only actions at this time or later.' }),
  until: instant.optional().meta({ description: 'Only actions before this time.' }),
});

const filterOf = (fields: z.output<typeof filterFields>) => ({
  nouns: fields.group === undefined ? null : nounsOf(fields.group),
  actor: fields.actor ?? null,
  subject: fields.subject ?? null,
  since: timeOf(fields.since),
  until: timeOf(fields.until),
});

const listQuery = filterFields.extend({ limit: pageLimit, cursor: pageCursor }).transform((query) => ({
  ...filterOf(query),
  limit: query.limit ?? limits.listDefaultMessages,
  cursor: query.cursor ?? null,
}));

const exportQuery = filterFields
  .extend({
    time_zone: timeZoneField.optional().meta({
      description: 'The time zone of the times in the file, such as Asia/Jakarta. UTC if left out.',
    }),
  })
  .transform((query) => ({ ...filterOf(query), timeZone: query.time_zone ?? null }));

const readsAudit = {
  method: 'GET',
  scope: 'audit:read',
  testKeys: 'never',
  access: 'developer',
  device: false,
  repeat: 'harmless',
  maxBodyBytes: limits.bodyMaxBytes,
  body: null,
  errors: ['INVALID_REQUEST', 'SERVICE_UNAVAILABLE'],
} as const;

export const auditOperations = {
  listAudit: {
    ...readsAudit,
    path: '/api/v1/audit',
    summary: 'Read who did what to the account, newest first.',
    audit: null,
    query: listQuery,
    data: z.object({ entries: z.array(auditEntry), next_cursor: z.string().nullable() }),
    message: 'Audit log read',
  },
  exportAudit: {
    ...readsAudit,
    path: '/api/v1/audit/export',
    summary: `Export the entries of the audit log that match a filter as CSV, newest first, up to ${limits.exportMaxAuditEntries.toLocaleString('en')}. The answer is a file.`,
    audit: { whose: 'all', actions: ['audit.exported'] },
    query: exportQuery,
    answers: 'file',
    data: z.string(),
    message: 'Audit log exported',
  },
} as const satisfies Record<string, PublicOperation>;
