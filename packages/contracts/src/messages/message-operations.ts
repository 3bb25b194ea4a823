/** The operations of messages. */
import { z } from 'zod';
import { jobId } from '../fields/id-fields.js';
import type { ErrorCode } from '../http/errors.js';
import { limits } from '../http/limits.js';
import type { OperationForPeople, PublicOperation } from '../http/operation-entry.js';
import { job, timelineEntry } from './job.js';
import { timeZoneField } from '../fields/time-zone.js';
import { cancelMessagesRequest, messageSearchFields, messageSearchOf } from './message-filter.js';
import { messageListQuery } from './message-list-query.js';
import { presenceRequest } from './presence-request.js';
import { bulkRequest, sendRequest } from './send-request.js';

/** An operation that stores a message can refuse it with these. */
export const acceptErrors = [
  'MALFORMED_REQUEST',
  'PLAN_EXPIRED',
  'QUOTA_EXHAUSTED',
  'DEVICE_NOT_FOUND',
  'DEVICE_NOT_CONNECTED',
  'REPLAYED_REQUEST',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INVALID_REQUEST',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

const exportQuery = messageSearchFields
  .extend({
    time_zone: timeZoneField.optional().meta({
      description: 'The time zone of the times in the file, such as Asia/Jakarta. UTC if left out.',
    }),
  })
  .transform((query) => ({ ...messageSearchOf(query), timeZone: query.time_zone ?? null }));

/** Programs use these with a key, and people unless `access` is null. */
export const messageOperations = {
  sendMessage: {
    method: 'POST',
    path: '/api/v1/messages/send',
    summary: 'Send a text message. Kurir answers after it has stored the message. Use the job_id to follow it.',
    scope: 'messages:send',
    testKeys: 'sandbox',
    access: 'developer',
    agents: true,
    audit: { whose: 'people', actions: ['message.sent'] },
    device: true,
    repeat: 'first-answer',
    maxBodyBytes: limits.bodyMaxBytes,
    body: sendRequest,
    query: null,
    data: z.object({ job_id: jobId }),
    message: 'Message accepted',
    errors: [
      ...acceptErrors,
      'INVALID_PHONE_NUMBER',
      'RECIPIENT_SUPPRESSED',
      'EXPIRES_IN_QUIET_HOURS',
      'CONVERSATION_NOT_FOUND',
      'IDEMPOTENCY_KEY_REUSED',
    ],
  },
  sendBulk: {
    method: 'POST',
    path: '/api/v1/messages/bulk',
    summary: 'Send up to 1,000 messages in one signed request. The answer has one result per message, in order.',
    scope: 'messages:send',
    testKeys: 'sandbox',
    access: null,
    audit: null,
    device: true,
    repeat: 'first-answer',
    maxBodyBytes: limits.bulkBodyMaxBytes,
    body: bulkRequest,
    query: null,
    data: z.object({
      results: z.array(z.union([z.object({ job_id: jobId }), z.object({ code: z.string(), error: z.string() })])),
    }),
    message: 'Messages processed',
    errors: acceptErrors,
  },
  chatPresence: {
    method: 'POST',
    path: '/api/v1/messages/chat-presence',
    summary: 'Start or stop the typing signal. It does not wait for other messages and costs no quota.',
    scope: 'presence:send',
    testKeys: 'sandbox',
    access: 'developer',
    agents: true,
    audit: null,
    device: true,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: presenceRequest,
    query: null,
    data: z.object({}),
    message: 'Chat presence sent',
    errors: [
      'MALFORMED_REQUEST',
      'DEVICE_NOT_FOUND',
      'DEVICE_NOT_CONNECTED',
      'REPLAYED_REQUEST',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'INVALID_REQUEST',
      'INVALID_PHONE_NUMBER',
      'CONVERSATION_NOT_FOUND',
      'SERVICE_UNAVAILABLE',
      'DEVICE_TIMEOUT',
    ],
  },
  listMessages: {
    method: 'GET',
    path: '/api/v1/messages',
    summary:
      'List jobs, newest first, with filters and a cursor. With `q`, `api_key` or `reason` a request looks through 20,000 jobs: its page may be short or empty although `next_cursor` goes on.',
    scope: 'messages:read',
    testKeys: 'sandbox',
    access: 'viewer',
    audit: null,
    device: false,
    repeat: 'harmless',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: messageListQuery,
    data: z.object({ messages: z.array(job), next_cursor: z.string().nullable() }),
    message: 'Messages listed',
    errors: ['INVALID_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  getMessage: {
    method: 'GET',
    path: '/api/v1/messages/{job_id}',
    summary: 'Look up one job with its timeline.',
    scope: 'messages:read',
    testKeys: 'sandbox',
    access: 'viewer',
    audit: null,
    device: false,
    repeat: 'harmless',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: job.extend({
      attempts: z.int().meta({ description: 'The number of attempts to send it.' }),
      request_id: z.string().meta({ description: 'The `X-Request-Id` of the request that sent it.' }),
      sent_by: z
        .object({ id: z.string(), name: z.string().nullable() })
        .meta({ description: 'The key that sent it, or the person who sent it from the dashboard.' }),
      can_cancel: z.boolean().meta({ description: 'Whether the message can be cancelled now.' }),
      can_retry: z.boolean().meta({
        description:
          'Whether the dashboard offers to send it again. It does so if the message certainly did not go out.',
      }),
      timeline: z.array(timelineEntry),
    }),
    message: 'Message found',
    errors: ['JOB_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  readMessageText: {
    method: 'GET',
    path: '/api/v1/messages/{job_id}/text',
    summary: 'Read the text of one message. The audit log records it. The text of a one-time code is never shown.',
    scope: 'conversations:read',
    testKeys: 'sandbox',
    access: 'developer',
    audit: { whose: 'all', actions: ['message.read'] },
    device: false,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: z.object({
      job_id: jobId,
      text: z.string().nullable().meta({ description: 'Null: `withheld` says why.' }),
      withheld: z.enum(['one_time_code', 'erased']).nullable().meta({
        description:
          'Why there is no text. `one_time_code`: it is a code. `erased`: Kurir no longer has it, because its time is over or somebody had it erased.',
      }),
    }),
    message: 'Text found',
    errors: ['JOB_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  cancelMessage: {
    method: 'POST',
    path: '/api/v1/messages/{job_id}/cancel',
    summary: 'Cancel a message that Kurir is not sending yet. Its quota comes back.',
    scope: 'messages:send',
    testKeys: 'sandbox',
    access: 'developer',
    audit: { whose: 'people', actions: ['message.cancelled'] },
    device: false,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    whileSuspended: true,
    body: null,
    query: null,
    data: z.object({ job_id: jobId, status: z.literal('cancelled') }),
    message: 'Message cancelled',
    errors: ['JOB_NOT_FOUND', 'JOB_NOT_CANCELLABLE', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  cancelMessages: {
    method: 'POST',
    path: '/api/v1/messages/cancel',
    summary: `Cancel up to ${limits.cancelMaxMessages.toLocaleString('en')} waiting messages that match a filter. Their quota comes back.`,
    scope: 'messages:send',
    testKeys: 'sandbox',
    access: 'developer',
    audit: { whose: 'people', actions: ['messages.cancelled'] },
    device: false,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    whileSuspended: true,
    body: cancelMessagesRequest,
    query: null,
    data: z.object({
      cancelled: z.int().meta({ description: 'How many messages were cancelled.' }),
      has_more: z.boolean().meta({ description: 'Whether more matching messages wait. If so, send a new request.' }),
    }),
    message: 'Messages cancelled',
    errors: [
      'MALFORMED_REQUEST',
      'INVALID_REQUEST',
      'REPLAYED_REQUEST',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'SERVICE_UNAVAILABLE',
    ],
  },
} as const satisfies Record<string, PublicOperation>;

/** Only people use these. */
export const messageOperationsForPeople = {
  exportMessages: {
    method: 'GET',
    path: '/app/api/messages.csv',
    summary: 'Export the messages that match a filter as CSV, newest first, up to 100,000.',
    access: 'viewer',
    audit: { whose: 'people', actions: ['messages.exported'] },
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
    summary:
      'Send the same text to the same number again, as a new message. A second request creates no second message.',
    access: 'developer',
    audit: { whose: 'people', actions: ['message.retried'] },
    body: null,
    query: null,
    data: z.object({ job_id: jobId.meta({ description: 'The id of the new message.' }) }),
    message: 'Message accepted again',
    errors: ['JOB_NOT_FOUND', 'JOB_NOT_RETRYABLE', 'RECIPIENT_SUPPRESSED', 'EXPIRES_IN_QUIET_HOURS', ...acceptErrors],
  },
} as const satisfies Record<string, OperationForPeople>;
