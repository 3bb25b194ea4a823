/** Messages: the live list, one with its timeline, and what can be done with it. */
import { z } from 'zod';
import { job, jobId, timelineEntry } from '../answer-parts.js';
import { limits } from '../limits.js';
import { messageFilterFields, messageFilterOf } from '../message-filter.js';
import { acceptErrors } from '../endpoints.js';
import { sendFields, sendInputOf } from '../send-request.js';
import type { DashboardRoute } from './dashboard-route.js';
import { pageLimit } from './page-query.js';

const filterFields = messageFilterFields.extend({
  /** A job id, a client_ref, or the beginning of a number. */
  q: z.string().trim().max(64).optional(),
});

const filterOf = ({ q, ...query }: z.output<typeof filterFields>) => ({
  ...messageFilterOf(query),
  search: q === undefined || q === '' ? null : q,
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
