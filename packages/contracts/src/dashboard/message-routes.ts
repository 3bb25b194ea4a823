/** Messages: the live list, one with its timeline, and what can be done with it. */
import { z } from 'zod';
import { job, jobId, plainText, shownStatus, timelineEntry } from '../answer-parts.js';
import { limits } from '../limits.js';
import { acceptErrors } from '../endpoints.js';
import { clientRef, sendFields, sendInputOf } from '../send-request.js';
import type { DashboardRoute } from './dashboard-route.js';
import { pageLimit } from './page-query.js';

const instant = z.iso.datetime({ offset: true, message: 'must be an ISO 8601 time with offset' });

const filterFields = z.object({
  status: shownStatus.optional(),
  device_id: plainText.optional(),
  phone_destination: plainText.optional(),
  client_ref: clientRef.optional(),
  /** A job id, a client_ref, or the beginning of a number. */
  q: z.string().trim().max(64).optional(),
  /** Accepted at or after, and before. */
  since: instant.optional(),
  until: instant.optional(),
});

const filterOf = (query: z.output<typeof filterFields>) => ({
  status: query.status ?? null,
  deviceId: query.device_id ?? null,
  recipient: query.phone_destination ?? null,
  clientRef: query.client_ref ?? null,
  search: query.q === undefined || query.q === '' ? null : query.q,
  since: query.since === undefined ? null : new Date(query.since),
  until: query.until === undefined ? null : new Date(query.until),
});

const listQuery = filterFields
  .extend({
    limit: pageLimit,
    cursor: z
      .string()
      .regex(/^[0-9]{1,18}$/, 'must be a next_cursor of an earlier answer')
      .optional(),
  })
  .transform((query) => ({
    ...filterOf(query),
    limit: query.limit ?? limits.listDefaultMessages,
    cursor: query.cursor ?? null,
  }));

const exportQuery = filterFields.transform(filterOf);

const testRequest = sendFields
  .extend({ device_id: z.string() })
  .transform((body) => ({ deviceId: body.device_id, input: sendInputOf(body) }));

const messageDetail = job.extend({
  /** Oldest first, acceptance included. */
  timeline: z.array(timelineEntry),
  attempts: z.int(),
  /** The key that sent it, or the person, from this dashboard. */
  sent_by: z.object({ id: z.string(), name: z.string().nullable() }),
  request_id: z.string(),
  can_cancel: z.boolean(),
  can_retry: z.boolean(),
});

export const messageRoutes = {
  listMessages: {
    method: 'GET',
    path: '/app/api/messages',
    summary: 'Messages, newest first, with filters, a search and a cursor.',
    access: 'viewer',
    body: null,
    query: listQuery,
    data: z.object({ messages: z.array(job), next_cursor: z.string().nullable() }),
    message: 'Messages listed',
    errors: [],
  },
  exportMessages: {
    method: 'GET',
    path: '/app/api/messages.csv',
    summary: 'The messages of the same filters as CSV, newest first, up to 100,000.',
    access: 'viewer',
    body: null,
    query: exportQuery,
    answers: 'file',
    data: z.string(),
    message: 'Messages exported',
    errors: [],
  },
  readMessage: {
    method: 'GET',
    path: '/app/api/messages/{job_id}',
    summary: 'One message with each step’s time. Its text is never shown.',
    access: 'viewer',
    body: null,
    query: null,
    data: messageDetail,
    message: 'Message found',
    errors: ['JOB_NOT_FOUND'],
  },
  cancelMessage: {
    method: 'POST',
    path: '/app/api/messages/{job_id}/cancel',
    summary: 'Cancel a message that is not being sent yet; its quota comes back.',
    access: 'developer',
    body: null,
    query: null,
    data: messageDetail,
    message: 'Message cancelled',
    errors: ['JOB_NOT_FOUND', 'JOB_NOT_CANCELLABLE'],
  },
  retryMessage: {
    method: 'POST',
    path: '/app/api/messages/{job_id}/retry',
    summary: 'Send the same text to the same number again, as a new message. Asked twice, it is one message.',
    access: 'developer',
    body: null,
    query: null,
    data: z.object({ job_id: jobId.meta({ description: 'Of the new message.' }) }),
    message: 'Message accepted again',
    errors: ['JOB_NOT_FOUND', 'JOB_NOT_RETRYABLE', ...acceptErrors],
  },
  sendTest: {
    method: 'POST',
    path: '/app/api/messages/test',
    summary: 'Send a message from the dashboard. It costs quota like any other.',
    access: 'developer',
    body: testRequest,
    query: null,
    data: z.object({ job_id: jobId }),
    message: 'Message accepted',
    errors: [...acceptErrors, 'INVALID_PHONE_NUMBER', 'IDEMPOTENCY_KEY_REUSED'],
  },
} as const satisfies Record<string, DashboardRoute>;
