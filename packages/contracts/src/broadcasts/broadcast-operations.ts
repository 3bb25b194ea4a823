/** The operations of broadcasts. */
import { z } from 'zod';
import { jobId } from '../fields/id-fields.js';
import { limits } from '../http/limits.js';
import type { PublicOperation } from '../http/operation-entry.js';
import { pageQuery } from '../http/page-query.js';
import { acceptErrors } from '../messages/message-operations.js';
import {
  addRecipientsRequest,
  broadcast,
  broadcastId,
  checkAnswer,
  countedBroadcast,
  createBroadcastRequest,
  recipient,
  recipientsQuery,
  resumeRequest,
  startRequest,
  updateBroadcastRequest,
} from './broadcast-fields.js';
import { resultsQuery, testBroadcastRequest } from './broadcast-requests.js';

const reads = {
  scope: 'broadcasts:read',
  testKeys: 'sandbox',
  access: 'viewer',
  audit: null,
  device: false,
  repeat: 'harmless',
  maxBodyBytes: limits.bodyMaxBytes,
  body: null,
} as const;

const writes = {
  scope: 'broadcasts:write',
  testKeys: 'sandbox',
  access: 'developer',
  device: false,
  repeat: 'refuse',
  maxBodyBytes: limits.bodyMaxBytes,
  query: null,
} as const;

const refusedBody = ['MALFORMED_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'INVALID_REQUEST'] as const;
const cursor = z.string().nullable().meta({ description: 'Pass it as cursor for the next page. Null: no more.' });
const notThere = ['BROADCAST_NOT_FOUND', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'] as const;
const unpaid = ['PLAN_EXPIRED', 'QUOTA_EXHAUSTED'] as const;

export const broadcastOperations = {
  createBroadcast: {
    ...writes,
    method: 'POST',
    path: '/api/v1/broadcasts',
    summary:
      'Create a broadcast as a draft. Nothing goes out until you start it. A worker reads a file or contacts; it is `checking` meanwhile.',
    audit: { whose: 'all', actions: ['broadcast.created'] },
    maxBodyBytes: limits.bulkBodyMaxBytes,
    body: createBroadcastRequest,
    data: broadcast,
    message: 'Broadcast created',
    errors: [
      ...refusedBody,
      'INVALID_PHONE_NUMBER',
      'DEVICE_NOT_FOUND',
      'TEMPLATE_NOT_FOUND',
      'UPLOAD_NOT_FOUND',
      'UPLOAD_NOT_READY',
      'UPLOAD_NOT_READABLE',
      'REPLAYED_REQUEST',
      'SERVICE_UNAVAILABLE',
    ],
  },
  addBroadcastRecipients: {
    ...writes,
    method: 'POST',
    path: '/api/v1/broadcasts/{broadcast_id}/recipients',
    summary: 'Add rows to the list of a draft. Nobody gets two messages: a second row of the same number is skipped.',
    audit: null,
    maxBodyBytes: limits.bulkBodyMaxBytes,
    body: addRecipientsRequest,
    data: z.object({ broadcast_id: broadcastId, recipients: z.int() }),
    message: 'Recipients added',
    errors: [...refusedBody, 'BROADCAST_STATE', ...notThere],
  },
  checkBroadcast: {
    ...writes,
    method: 'POST',
    path: '/api/v1/broadcasts/{broadcast_id}/check',
    summary:
      'Fix the list, and say what would go out and what would not. It sends nothing. While the broadcast is `checking`, it says what is read so far and fixes nothing.',
    audit: null,
    body: null,
    data: checkAnswer,
    message: 'Broadcast checked',
    errors: notThere,
  },
  startBroadcast: {
    ...writes,
    method: 'POST',
    path: '/api/v1/broadcasts/{broadcast_id}/start',
    summary: 'Start the broadcast, or let it start at `send_at`. The quota of all its messages is set aside.',
    audit: { whose: 'all', actions: ['broadcast.started'] },
    body: startRequest,
    data: broadcast,
    message: 'Broadcast started',
    errors: [...refusedBody, 'BROADCAST_STATE', ...unpaid, ...notThere],
  },
  pauseBroadcast: {
    ...writes,
    method: 'POST',
    path: '/api/v1/broadcasts/{broadcast_id}/pause',
    summary: 'Pause the broadcast. A message that is being sent still goes out.',
    audit: { whose: 'all', actions: ['broadcast.paused'] },
    body: null,
    data: broadcast,
    message: 'Broadcast paused',
    errors: ['BROADCAST_STATE', ...notThere],
  },
  resumeBroadcast: {
    ...writes,
    method: 'POST',
    path: '/api/v1/broadcasts/{broadcast_id}/resume',
    summary: 'Go on, or send again to those whose message failed or has an unknown outcome.',
    audit: { whose: 'all', actions: ['broadcast.resumed'] },
    body: resumeRequest,
    data: broadcast,
    message: 'Broadcast resumed',
    errors: [...refusedBody, 'BROADCAST_STATE', ...unpaid, ...notThere],
  },
  cancelBroadcast: {
    ...writes,
    method: 'POST',
    path: '/api/v1/broadcasts/{broadcast_id}/cancel',
    summary: 'End the broadcast. Messages that wait are cancelled, and the quota comes back.',
    audit: { whose: 'all', actions: ['broadcast.cancelled'] },
    body: null,
    data: broadcast,
    message: 'Broadcast cancelled',
    errors: ['BROADCAST_STATE', ...notThere],
  },
  updateBroadcast: {
    ...writes,
    method: 'PATCH',
    path: '/api/v1/broadcasts/{broadcast_id}',
    summary:
      'Change the name, the devices, the pace or the hours, also while it runs. A field that you leave out stays as it is.',
    audit: { whose: 'all', actions: ['broadcast.changed'] },
    body: updateBroadcastRequest,
    data: broadcast,
    message: 'Broadcast changed',
    errors: [...refusedBody, 'DEVICE_NOT_FOUND', 'BROADCAST_STATE', ...notThere],
  },
  testBroadcast: {
    ...writes,
    method: 'POST',
    path: '/api/v1/broadcasts/{broadcast_id}/test',
    summary: 'Send the text to one number, as a message of its own. The broadcast and its counts stay as they are.',
    audit: { whose: 'people', actions: ['message.sent'] },
    body: testBroadcastRequest,
    data: z.object({ job_id: jobId }),
    message: 'Message accepted',
    errors: [...acceptErrors, 'INVALID_PHONE_NUMBER', 'RECIPIENT_SUPPRESSED', 'BROADCAST_NOT_FOUND', 'BROADCAST_STATE'],
  },
  listBroadcasts: {
    ...reads,
    method: 'GET',
    path: '/api/v1/broadcasts',
    summary: 'List the broadcasts, newest first.',
    query: pageQuery,
    data: z.object({ broadcasts: z.array(broadcast), next_cursor: cursor }),
    message: 'Broadcasts listed',
    errors: ['INVALID_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  getBroadcast: {
    ...reads,
    method: 'GET',
    path: '/api/v1/broadcasts/{broadcast_id}',
    summary: 'Look up a broadcast with its counts, its rate and the time at which it will end.',
    query: null,
    data: countedBroadcast,
    message: 'Broadcast found',
    errors: ['BROADCAST_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  listBroadcastRecipients: {
    ...reads,
    method: 'GET',
    path: '/api/v1/broadcasts/{broadcast_id}/recipients',
    summary: 'List the recipients in the order of the list, each with one outcome.',
    query: recipientsQuery,
    data: z.object({ recipients: z.array(recipient), next_cursor: cursor }),
    message: 'Recipients listed',
    errors: ['INVALID_REQUEST', 'BROADCAST_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  exportBroadcastResults: {
    ...reads,
    method: 'GET',
    path: '/api/v1/broadcasts/{broadcast_id}/results.csv',
    summary: 'Download the outcome of each recipient in the order of the list, as CSV or NDJSON. The answer is a file.',
    audit: { whose: 'all', actions: ['broadcast.exported'] },
    query: resultsQuery,
    answers: 'file',
    data: z.string(),
    message: 'Results exported',
    errors: ['INVALID_REQUEST', 'BROADCAST_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<string, PublicOperation>;
