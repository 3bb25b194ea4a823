/**
 * The route table. An endpoint is added here; the compiler then asks for its handler in the api and its method
 * in the client, the OpenAPI document shows it, and the tenant and error tests fail until they cover it.
 */
import { z } from 'zod';
import { device, deviceId, job, jobId, quotaText, renewal, timelineEntry, timestamp } from './answer-parts.js';
import { createDeviceRequest, linkDeviceRequest, updateDeviceRequest } from './device-requests.js';
import type { ErrorCode } from './errors.js';
import { isMessageId } from './id-forms.js';
import { limits } from './limits.js';
import type { Endpoint } from './operation-entry.js';
import {
  cancelMessagesRequest,
  messageFilterFields,
  messageFilterOf,
  searchOf,
  searchText,
  timeOf,
  updatedSince,
} from './message-filter.js';
import { deviceStates } from './message-status.js';
import { presenceRequest } from './presence-request.js';
import { bulkRequest, sendRequest } from './send-request.js';

/** What any signed endpoint can answer. */
export const commonErrors = [
  'MISSING_CREDENTIALS',
  'INVALID_API_KEY',
  'INVALID_SIGNATURE',
  'TIMESTAMP_OUT_OF_RANGE',
  'KEY_NOT_ALLOWED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
] as const satisfies readonly ErrorCode[];

const renewQuery = z
  .object({
    payment_method: z
      .string()
      .optional()
      .meta({ description: '`ordinary` (default); `crypto` comes later.', example: 'ordinary' }),
  })
  .transform((query) => ({ paymentMethod: query.payment_method ?? 'ordinary' }));

const jobIds = z
  .string()
  .transform((text) => text.split(','))
  .refine((ids) => ids.length <= limits.listMaxMessages && ids.every(isMessageId), {
    message: `must be 1 to ${limits.listMaxMessages} job ids with commas between`,
  })
  .meta({
    description: `Up to ${limits.listMaxMessages} job ids with commas between. Ids that the account does not have are left out of the answer.`,
    example: 'msg_01kajp4m3s5y8zt0v6qk2c9hbe',
  });

const listQuery = messageFilterFields
  .extend({
    job_ids: jobIds.optional(),
    q: searchText,
    updated_since: updatedSince,
    limit: z.coerce.number().int().min(1).max(limits.listMaxMessages).optional(),
    cursor: z
      .string()
      .regex(/^[0-9]{1,18}$/, 'must be a next_cursor of an earlier answer')
      .optional(),
  })
  .transform((query) => ({
    ...messageFilterOf(query),
    jobIds: query.job_ids ?? null,
    search: searchOf(query.q),
    updatedSince: timeOf(query.updated_since),
    limit: query.limit ?? (query.job_ids === undefined ? limits.listDefaultMessages : limits.listMaxMessages),
    cursor: query.cursor ?? null,
  }));

const devicesQuery = z
  .object({
    device_id: deviceId.optional().meta({ description: 'Only this device; 404 where the account does not have it.' }),
    include: z.literal('activity').optional().meta({
      description: '`activity`: with each device how many messages wait on it and how sending goes.',
    }),
  })
  .transform((query) => ({ deviceId: query.device_id ?? null, withActivity: query.include === 'activity' }));

/** What can be said against a message that is to be stored. */
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

export const endpoints = {
  sendMessage: {
    method: 'POST',
    path: '/api/v1/messages/send',
    summary: 'Send a text message. Answers once it is stored; the job_id follows it.',
    scope: 'messages:send',
    access: 'developer',
    audit: { whose: 'people', actions: ['message.sent'] },
    device: true,
    repeat: 'first-answer',
    maxBodyBytes: limits.bodyMaxBytes,
    body: sendRequest,
    query: null,
    data: z.object({ job_id: jobId }),
    message: 'Message accepted',
    errors: [...acceptErrors, 'INVALID_PHONE_NUMBER', 'IDEMPOTENCY_KEY_REUSED'],
  },
  sendBulk: {
    method: 'POST',
    path: '/api/v1/messages/bulk',
    summary: 'Send up to 1,000 messages in one signed request. One result per message, in order.',
    scope: 'messages:send',
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
    summary: 'Start or stop the typing signal. Overtakes any backlog, costs no quota.',
    scope: 'presence:send',
    access: 'developer',
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
      'SERVICE_UNAVAILABLE',
      'DEVICE_TIMEOUT',
    ],
  },
  listMessages: {
    method: 'GET',
    path: '/api/v1/messages',
    summary: 'List jobs, newest first, with filters and a cursor.',
    scope: 'messages:read',
    access: 'viewer',
    audit: null,
    device: false,
    repeat: 'harmless',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: listQuery,
    data: z.object({ messages: z.array(job), next_cursor: z.string().nullable() }),
    message: 'Messages listed',
    errors: ['INVALID_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  getMessage: {
    method: 'GET',
    path: '/api/v1/messages/{job_id}',
    summary: 'Look up one job with its timeline.',
    scope: 'messages:read',
    access: 'viewer',
    audit: null,
    device: false,
    repeat: 'harmless',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: job.extend({
      attempts: z.int().meta({ description: 'How often it was tried.' }),
      request_id: z.string().meta({ description: 'The `X-Request-Id` of the request that sent it.' }),
      sent_by: z
        .object({ id: z.string(), name: z.string().nullable() })
        .meta({ description: 'The key that sent it, or the person, from the dashboard.' }),
      can_cancel: z.boolean().meta({ description: 'It can be cancelled as it stands now.' }),
      can_retry: z
        .boolean()
        .meta({ description: 'It certainly did not go out, so the dashboard offers to send it again.' }),
      timeline: z.array(timelineEntry),
    }),
    message: 'Message found',
    errors: ['JOB_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  cancelMessage: {
    method: 'POST',
    path: '/api/v1/messages/{job_id}/cancel',
    summary: 'Cancel a message that is not being sent yet; its quota comes back.',
    scope: 'messages:send',
    access: 'developer',
    audit: { whose: 'people', actions: ['message.cancelled'] },
    device: false,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: z.object({ job_id: jobId, status: z.literal('cancelled') }),
    message: 'Message cancelled',
    errors: ['JOB_NOT_FOUND', 'JOB_NOT_CANCELLABLE', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  cancelMessages: {
    method: 'POST',
    path: '/api/v1/messages/cancel',
    summary: `Cancel up to ${limits.cancelMaxMessages.toLocaleString('en')} messages that wait and match a filter; their quota comes back.`,
    scope: 'messages:send',
    access: 'developer',
    audit: { whose: 'people', actions: ['messages.cancelled'] },
    device: false,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: cancelMessagesRequest,
    query: null,
    data: z.object({
      cancelled: z.int().meta({ description: 'How many were cancelled.' }),
      has_more: z.boolean().meta({ description: 'More of them wait: ask again.' }),
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
  renewAccount: {
    method: 'POST',
    path: '/api/v1/account/renew',
    summary: "Renew the account's latest plan choice: creates a pending payment and its page.",
    scope: 'account:renew',
    access: 'owner',
    audit: { whose: 'all', actions: ['renewal.requested'] },
    device: false,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: renewQuery,
    data: z.object({ description: z.string(), payment_url: z.url(), renewal_id: z.string() }),
    message: 'Renewal created',
    errors: [
      'NO_PLAN_CHOSEN',
      'REPLAYED_REQUEST',
      'INVALID_PAYMENT_METHOD',
      'PAYMENT_METHOD_UNAVAILABLE',
      'PAYMENT_PROVIDER_ERROR',
      'SERVICE_UNAVAILABLE',
    ],
  },
  getRenewal: {
    method: 'GET',
    path: '/api/v1/account/renewals/{renewal_id}',
    summary: 'Look up one renewal: whether it still awaits payment, was paid, expired or was cancelled.',
    scope: 'account:read',
    access: 'viewer',
    audit: null,
    device: false,
    repeat: 'harmless',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: renewal,
    message: 'Renewal found',
    errors: ['RENEWAL_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  createDevice: {
    method: 'POST',
    path: '/api/v1/devices',
    summary:
      'Create a device. It is linked to a messaging account afterwards. A repeated client_ref makes no second one.',
    scope: 'devices:write',
    access: 'developer',
    audit: { whose: 'all', actions: ['device.created'] },
    device: false,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: createDeviceRequest,
    query: null,
    data: device.pick({ device_id: true, state: true, created_at: true, name: true, network: true }),
    message: 'Device created',
    errors: [
      'MALFORMED_REQUEST',
      'REPLAYED_REQUEST',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'INVALID_REQUEST',
      'IDEMPOTENCY_KEY_REUSED',
      'SERVICE_UNAVAILABLE',
    ],
  },
  updateDevice: {
    method: 'PATCH',
    path: '/api/v1/devices',
    summary: 'Change the name, the politeness or the proxy of a device. What is left out stays; it counts at once.',
    scope: 'devices:write',
    access: 'developer',
    audit: { whose: 'all', actions: ['device.changed'] },
    device: true,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: updateDeviceRequest,
    query: null,
    data: device,
    message: 'Device changed',
    errors: [
      'MALFORMED_REQUEST',
      'DEVICE_NOT_FOUND',
      'REPLAYED_REQUEST',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'INVALID_REQUEST',
      'SERVICE_UNAVAILABLE',
    ],
  },
  listDevices: {
    method: 'GET',
    path: '/api/v1/devices',
    summary: 'List the devices, oldest first, with the code to scan or type of those that are being linked.',
    scope: 'devices:read',
    access: 'viewer',
    audit: null,
    device: false,
    repeat: 'harmless',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: devicesQuery,
    data: z.object({ devices: z.array(device) }),
    message: 'Devices listed',
    errors: ['INVALID_REQUEST', 'DEVICE_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  linkDevice: {
    method: 'POST',
    path: '/api/v1/devices/link',
    summary: 'Start linking a device. Its code appears in the list of devices shortly and changes until it is used.',
    scope: 'devices:write',
    access: 'developer',
    audit: { whose: 'all', actions: ['device.link_requested'] },
    device: true,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: linkDeviceRequest,
    query: null,
    data: z.object({ device_id: deviceId, state: z.literal('pairing') }),
    message: 'Linking started',
    errors: [
      'MALFORMED_REQUEST',
      'DEVICE_NOT_FOUND',
      'DEVICE_ALREADY_LINKED',
      'REPLAYED_REQUEST',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'INVALID_REQUEST',
      'INVALID_PHONE_NUMBER',
      'SERVICE_UNAVAILABLE',
    ],
  },
  cancelLink: {
    method: 'POST',
    path: '/api/v1/devices/link/cancel',
    summary:
      'Stop linking a device: its code is shown no more, and a phone that uses it in this very moment is unlinked again.',
    scope: 'devices:write',
    access: 'developer',
    audit: { whose: 'all', actions: ['device.link_cancelled'] },
    device: true,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: z.object({ device_id: deviceId, state: z.literal('disconnected') }),
    message: 'Linking cancelled',
    errors: ['DEVICE_NOT_FOUND', 'DEVICE_NOT_PAIRING', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  reconnectDevice: {
    method: 'POST',
    path: '/api/v1/devices/reconnect',
    summary:
      'Connect a contested device again: something else used its credentials, and Kurir had stopped. Any other linked device goes on as it does.',
    scope: 'devices:write',
    access: 'developer',
    audit: { whose: 'all', actions: ['device.reconnect_requested'] },
    device: true,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: z.object({ device_id: deviceId, state: z.enum(deviceStates) }),
    message: 'Device reconnects',
    errors: ['DEVICE_NOT_FOUND', 'DEVICE_NOT_LINKED', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  disconnectDevice: {
    method: 'POST',
    path: '/api/v1/devices/disconnect',
    summary: 'Unlink the messaging account: logs out at the network and erases the session keys.',
    scope: 'devices:disconnect',
    access: 'developer',
    audit: { whose: 'all', actions: ['device.unlink_requested'] },
    device: true,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: z.object({ device_id: deviceId }),
    message: 'Device disconnected',
    errors: ['DEVICE_NOT_FOUND', 'DEVICE_NOT_LINKED', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE', 'DEVICE_TIMEOUT'],
  },
  deviceInfo: {
    method: 'GET',
    path: '/api/v1/devices/info',
    summary: 'The state of a device.',
    scope: 'devices:read',
    access: 'viewer',
    audit: null,
    device: true,
    repeat: 'harmless',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: z.object({ device_id: deviceId, state: z.enum(deviceStates), created_at: timestamp }),
    message: 'Device found',
    errors: ['DEVICE_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  accountInfo: {
    method: 'GET',
    path: '/api/v1/account/info',
    summary: 'Plan, subscription period and quota of the account.',
    scope: 'account:read',
    access: 'viewer',
    audit: null,
    device: false,
    repeat: 'harmless',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: z.object({
      user_id: z.string(),
      session_id: z.uuid(),
      plan: z.string(),
      plan_type: z.string(),
      start_date: timestamp,
      expiry_date: timestamp,
      days_left: z.int().min(0),
      initial_quota: quotaText,
      remaining_quota: quotaText,
    }),
    message: 'Account found',
    errors: ['NO_PLAN_CHOSEN', 'SERVICE_UNAVAILABLE'],
  },
  latestPlan: {
    method: 'GET',
    path: '/api/v1/account/planchoices/latest',
    summary: "The account's latest plan choice at its present price.",
    scope: 'account:read',
    access: 'viewer',
    audit: null,
    device: false,
    repeat: 'harmless',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: z.object({
      plan_name: z.string(),
      plan_type: z.string(),
      duration: z.string().meta({ example: '30 hari' }),
      price: z.int().meta({ description: 'Rupiah.' }),
      quota: z.string().meta({ example: 'Unlimited' }),
    }),
    message: 'Plan found',
    // The specification wants 500, not 503, when it cannot be read.
    errors: ['NO_PLAN_CHOSEN'],
  },
} as const satisfies Record<string, Endpoint>;

export type Operation = keyof typeof endpoints;

// The table's own keys; Object.keys only knows `string`.
export const operations = Object.keys(endpoints) as readonly Operation[];

type Parsed<S> = S extends z.ZodType ? z.output<S> : null;
export type BodyOf<O extends Operation> = Parsed<(typeof endpoints)[O]['body']>;
export type QueryOf<O extends Operation> = Parsed<(typeof endpoints)[O]['query']>;
export type DataOf<O extends Operation> = z.output<(typeof endpoints)[O]['data']>;
