/** The requests of an account's keys, for a few days. */
import { z } from 'zod';
import { plainText } from '../fields/plain-text.js';
import { timestamp } from '../fields/timestamp.js';
import { type ErrorCode, errorCodes } from '../http/errors.js';
import { limits } from '../http/limits.js';
import type { PublicOperation } from '../http/operation-entry.js';
import { pageCursor, pageLimit } from '../http/page-query.js';
import { type RequestOutcome, requestOutcomes } from './request-outcomes.js';

const classOf: Readonly<Record<RequestOutcome, number>> = { '2xx': 2, '4xx': 4, '5xx': 5, aborted: 0 };

const nothing = 'Null in a row that only counts.';

const keyRequest = z.object({
  request_id: z.string().meta({ description: 'The X-Request-Id of the answer.' }),
  at: timestamp.meta({ description: 'When the request began.' }),
  api_key: z.string(),
  key_name: z.string().nullable().meta({ description: 'Null: the key was erased.' }),
  operation: z
    .string()
    .nullable()
    .meta({
      description: `The name of the operation, as the OpenAPI document has it. ${nothing}`,
      example: 'sendMessage',
    }),
  method: z.string().nullable().meta({ example: 'POST' }),
  path: z.string().nullable().meta({
    description: 'The pattern of the path. Ids, queries and bodies are not kept.',
    example: '/api/v1/messages/send',
  }),
  status: z
    .int()
    .nullable()
    .meta({
      description: `The HTTP status. Null: the caller went away before the answer. ${nothing}`,
    }),
  code: z.string().nullable().meta({ description: 'The code of the refusal. Null: there was none.' }),
  duration_ms: z.int().nullable().meta({ description: nothing }),
  address: z.string().nullable().meta({
    description: 'The IP address of the caller. Null: the proxy wrote none.',
    example: '203.0.113.7',
  }),
  not_recorded: z.int().meta({
    description:
      'Zero for a request. Otherwise the row only counts: so many further requests of the key in one minute have no row.',
  }),
});

const listQuery = z
  .object({
    api_key: plainText.optional().meta({ description: 'Only requests of this key.' }),
    outcome: z.enum(requestOutcomes).optional().meta({
      description: 'Only requests with this kind of status. `aborted`: the caller went away before the answer.',
    }),
    operation: z
      .string()
      .regex(/^[A-Za-z]{1,64}$/, 'must be the name of an operation, such as sendMessage')
      .optional()
      .meta({ description: 'Only requests of this operation.', example: 'sendMessage' }),
    // The catalogue has exactly these codes; its type only knows a list.
    code: z
      .enum(errorCodes as [ErrorCode, ...ErrorCode[]])
      .optional()
      .meta({ description: 'Only requests that were refused with this code.' }),
    request_id: plainText.optional().meta({ description: 'Only the request with this id.' }),
    limit: pageLimit,
    cursor: pageCursor,
  })
  .transform((query) => ({
    keyId: query.api_key ?? null,
    statusClass: query.outcome === undefined ? null : classOf[query.outcome],
    operation: query.operation ?? null,
    code: query.code ?? null,
    requestId: query.request_id ?? null,
    limit: query.limit ?? limits.listDefaultMessages,
    cursor: query.cursor ?? null,
  }));

export const requestOperations = {
  listRequests: {
    method: 'GET',
    path: '/api/v1/requests',
    summary: `List the requests of the account's keys in the last ${limits.requestLogDays} days, newest first. They appear within seconds. A page may be empty although older requests follow.`,
    scope: 'requests:read',
    testKeys: 'never',
    access: 'developer',
    audit: null,
    device: false,
    repeat: 'harmless',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: listQuery,
    data: z.object({ requests: z.array(keyRequest), next_cursor: z.string().nullable() }),
    message: 'Requests listed',
    errors: ['INVALID_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<string, PublicOperation>;
