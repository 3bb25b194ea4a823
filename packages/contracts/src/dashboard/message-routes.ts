/** What only people do with messages. The rest are operations of the public api (endpoints.ts). */
import { z } from 'zod';
import { jobId } from '../answer-parts.js';
import { acceptErrors } from '../endpoints.js';
import { messageFilterFields, messageFilterOf, searchOf, searchText } from '../message-filter.js';
import type { DashboardRoute } from '../operation-entry.js';

const exportQuery = messageFilterFields
  .extend({ q: searchText })
  .transform(({ q, ...query }) => ({ ...messageFilterOf(query), search: searchOf(q) }));

export const messageRoutes = {
  exportMessages: {
    method: 'GET',
    path: '/app/api/messages.csv',
    summary: 'The messages of the same filters as CSV, newest first, up to 100,000.',
    access: 'viewer',
    audit: null,
    body: null,
    query: exportQuery,
    answers: 'file',
    data: z.string(),
    message: 'Messages exported',
    errors: [],
  },
  retryMessage: {
    method: 'POST',
    path: '/app/api/messages/{job_id}/retry',
    summary: 'Send the same text to the same number again, as a new message. Asked twice, it is one message.',
    access: 'developer',
    audit: { whose: 'people', actions: ['message.retried'] },
    body: null,
    query: null,
    data: z.object({ job_id: jobId.meta({ description: 'Of the new message.' }) }),
    message: 'Message accepted again',
    errors: ['JOB_NOT_FOUND', 'JOB_NOT_RETRYABLE', ...acceptErrors],
  },
} as const satisfies Record<string, DashboardRoute>;
