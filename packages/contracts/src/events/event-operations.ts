import { z } from 'zod';
import type { OperationForPeople } from '../http/operation-entry.js';

/** Only people use these. */
export const eventOperations = {
  streamEvents: {
    method: 'GET',
    path: '/app/api/events',
    summary: 'Stream the account’s live events. A comment every 15 s keeps the connection open.',
    access: 'viewer',
    audit: null,
    body: null,
    query: null,
    answers: 'events',
    data: z.unknown(),
    message: 'Events follow',
    errors: [],
  },
} as const satisfies Record<string, OperationForPeople>;
