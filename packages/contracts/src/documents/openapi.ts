/**
 * The OpenAPI 3.1 document, made from the route table. Its error examples are answers that the api's tests really
 * got (error-examples.json); what has no example yet is named by `findMissingExamples`.
 */
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi';
import { commonErrors } from '../http/request-errors.js';
import { endpoints, type Operation, operations } from '../operations/route-table.js';
import type { Endpoint } from '../http/operation-entry.js';
import recorded from './error-examples.json' with { type: 'json' };
import { type ErrorCode, errorCatalogue, errorCodes } from '../http/errors.js';
import { clientRef } from '../fields/client-ref.js';

type Example = { readonly status: number; readonly code: string; readonly error: string };

const examples: Readonly<Record<string, readonly Example[]>> = recorded;

const description = `Send messages and typing signals through your own linked messaging accounts.

Every request is signed: \`X-Signature\` is the lower-case hex HMAC-SHA256, keyed with the secret as shown once, of
\`METHOD:TARGET:TIMESTAMP:sha256hex(body)\`. TARGET is the path with its query exactly as sent; the body is hashed as
the bytes sent, an empty one too. \`X-Timestamp\` (unix seconds or milliseconds) is made by your program and may be
300 s old or 60 s ahead. Using one signature twice is safe: a send answers as the first time, other changes are refused.`;

/** Answered where the path or its method does not exist. */
const pathErrors: readonly ErrorCode[] = ['NOT_FOUND', 'METHOD_NOT_ALLOWED'];

/** The part of the catalogue that a signed request can meet; the rest is the dashboard's. */
const signedErrors = errorCodes.filter(
  (code) => pathErrors.includes(code) || operations.some((operation) => errorsOf(operation).includes(code)),
);

const errorBody = z
  .strictObject({
    success: z.literal(false),
    code: z.enum(signedErrors),
    error: z.string().meta({ description: 'A sentence that says what to do next.' }),
  })
  .meta({ id: 'Error' });

const headers = {
  requestId: { description: 'Name it when you ask us about a request.', schema: { type: 'string' } },
  retryAfter: { description: 'Seconds after which to try again.', schema: { type: 'integer' } },
  rateLimit: {
    description: 'Requests left, as heard a second ago at most, and seconds until the window begins anew.',
    schema: { type: 'string' },
  },
  rateLimitPolicy: { description: 'Requests per window of so many seconds.', schema: { type: 'string' } },
  replayed: { description: '`true`: the first answer again, to a repeat.', schema: { type: 'string', const: 'true' } },
} as const;

/** Every code that an endpoint can answer, in the catalogue's order. */
export function errorsOf(operation: Operation): ErrorCode[] {
  const own: readonly ErrorCode[] = endpoints[operation].errors;
  return errorCodes.filter((code) => own.includes(code) || (commonErrors as readonly ErrorCode[]).includes(code));
}

function findExample(operation: Operation, code: ErrorCode): Example | undefined {
  return examples[operation]?.find((example) => example.code === code);
}

/** `operation CODE` for each error whose example no test has recorded. */
export function findMissingExamples(): string[] {
  return operations.flatMap((operation) =>
    errorsOf(operation).flatMap((code) => (findExample(operation, code) === undefined ? [`${operation} ${code}`] : [])),
  );
}

function errorExamples(operation: Operation, codes: readonly ErrorCode[]) {
  return Object.fromEntries(
    codes.flatMap((code) => {
      const example = findExample(operation, code);
      const value = { success: false, code, error: example?.error };
      return example === undefined ? [] : [[code, { summary: errorCatalogue[code].summary, value }]];
    }),
  );
}

function errorResponse(operation: Operation, status: number): ZodOpenApiResponseObject {
  const codes = errorsOf(operation).filter((code) => errorCatalogue[code].status === status);
  const retry = status === 429 || status === 503 ? { 'Retry-After': headers.retryAfter } : {};
  const limit = status === 429 ? { RateLimit: headers.rateLimit, 'RateLimit-Policy': headers.rateLimitPolicy } : {};
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].summary}`).join('\n\n'),
    headers: { 'X-Request-Id': headers.requestId, ...retry, ...limit },
    content: { 'application/json': { schema: errorBody, examples: errorExamples(operation, codes) } },
  };
}

function successResponse(endpoint: Endpoint): ZodOpenApiResponseObject {
  const replayed = endpoint.repeat === 'first-answer' ? { 'Idempotent-Replayed': headers.replayed } : {};
  const schema = z.strictObject({
    success: z.literal(true),
    message: z.literal(endpoint.message),
    data: endpoint.data,
  });
  return {
    description: endpoint.message,
    headers: {
      'X-Request-Id': headers.requestId,
      RateLimit: headers.rateLimit,
      'RateLimit-Policy': headers.rateLimitPolicy,
      ...replayed,
    },
    content: { 'application/json': { schema } },
  };
}

function headerParameters(endpoint: Endpoint): z.ZodObject {
  const device = { 'X-Device-Id': z.string().meta({ description: 'A device of the account; from the dashboard.' }) };
  const key = {
    'Idempotency-Key': clientRef.optional().meta({ description: 'The same as `client_ref` in the body.' }),
  };
  return z.object({
    ...(endpoint.device ? device : {}),
    ...(endpoint === endpoints.sendMessage ? key : {}),
  });
}

function pathParameters(endpoint: Endpoint): z.ZodObject {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => (name === undefined ? [] : [name]));
  return z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
}

/** The parameters of a query schema that ends in a transform. */
function queryParameters(endpoint: Endpoint): z.ZodObject | null {
  const { query } = endpoint;
  const input = query instanceof z.ZodPipe ? query.def.in : query;
  return input instanceof z.ZodObject ? input : null;
}

function operationObject(operation: Operation): ZodOpenApiOperationObject {
  const endpoint: Endpoint = endpoints[operation];
  const query = queryParameters(endpoint);
  const statuses = [...new Set(errorsOf(operation).map((code) => errorCatalogue[code].status))];
  return {
    operationId: operation,
    summary: endpoint.summary,
    description: `Scope of the key: \`${endpoint.scope}\`.`,
    tags: [endpoint.path.split('/')[3] ?? 'api'],
    requestParams: {
      header: headerParameters(endpoint),
      path: pathParameters(endpoint),
      ...(query === null ? {} : { query }),
    },
    ...(endpoint.body === null
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: endpoint.body } } } }),
    responses: {
      '200': successResponse(endpoint),
      ...Object.fromEntries(statuses.map((status) => [String(status), errorResponse(operation, status)])),
    },
  };
}

function pathObjects(): Record<string, Record<string, ZodOpenApiOperationObject>> {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of operations) {
    const { method, path } = endpoints[operation];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation) };
  }
  return paths;
}

const inHeader = (name: string, text: string) => ({ type: 'apiKey', in: 'header', name, description: text }) as const;

/** The whole document for a server at `serverUrl`. */
export function openApiDocument(serverUrl: string): object {
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Kurir', version: '0.1.0', description },
    servers: [{ url: serverUrl }],
    security: [{ key: [], timestamp: [], signature: [] }],
    components: {
      securitySchemes: {
        key: inHeader('X-API-Key', 'The id of an API key, `kk_live_…` or `kk_test_…`.'),
        timestamp: inHeader('X-Timestamp', 'Unix seconds or milliseconds, made by the program that signs.'),
        signature: inHeader('X-Signature', 'HMAC-SHA256 over METHOD:TARGET:TIMESTAMP:sha256hex(body), in hex.'),
      },
    },
    paths: pathObjects(),
  });
}
