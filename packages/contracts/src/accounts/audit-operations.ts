/** The audit log of an account. */
import { z } from 'zod';
import { timestamp } from '../fields/timestamp.js';
import type { OperationForPeople } from '../http/operation-entry.js';
import { pageQuery } from '../http/page-query.js';

export const auditEntry = z.object({
  entry_id: z.string(),
  at: timestamp,
  /** A person, a key, or the operator's command line. */
  actor: z.object({ id: z.string(), name: z.string().nullable() }),
  action: z.string().meta({ example: 'key.created' }),
  subject: z.string().nullable(),
  /** The last digits of the phone number, if the action is about one. The log holds no whole number. */
  number_ends: z.string().nullable(),
});

/** Only people use these. */
export const auditOperations = {
  listAudit: {
    method: 'GET',
    path: '/app/api/audit',
    summary: 'Read who did what to the account, newest first.',
    access: 'developer',
    audit: null,
    body: null,
    query: pageQuery,
    data: z.object({ entries: z.array(auditEntry), next_cursor: z.string().nullable() }),
    message: 'Audit log read',
    errors: [],
  },
} as const satisfies Record<string, OperationForPeople>;
