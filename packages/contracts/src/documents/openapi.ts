/**
 * The OpenAPI 3.1 document, made from the route table. Its error examples are real answers, which the api's tests record in
 * error-examples.json. `findMissingExamples` names the errors that have no example yet.
 */
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi';
import { commonErrors } from '../http/request-errors.js';
import { publicOperations, type PublicOperationName, publicOperationNames } from '../operations/route-table.js';
import type { PublicOperation, TestKeys } from '../http/operation-entry.js';
import recorded from './error-examples.json' with { type: 'json' };
import { type ErrorCode, errorCatalogue, errorCodes } from '../http/errors.js';
import { invalidFieldHeader } from '../http/field-rules.js';
import { clientRef } from '../fields/client-ref.js';
import { webhookObjects } from './webhook-objects.js';

type Example = { readonly status: number; readonly code: string; readonly error: string };

const examples: Readonly<Record<string, readonly Example[]>> = recorded;

const description = `Send messages and typing signals through your own linked messaging accounts.

Every request is signed. \`X-Signature\` is the HMAC-SHA256 of \`METHOD:TARGET:TIMESTAMP:sha256hex(body)\`, in lower-case hex.
The key of the HMAC is the secret, exactly as the dashboard showed it once. TARGET is the path with its query, exactly as
sent. Hash the body as the bytes that you send, even if it is empty. Your program sets \`X-Timestamp\`, in Unix seconds or
milliseconds. The server accepts one that is up to 300 s old or 60 s ahead.

Scheme 2 also signs two headers that change what a request does. Send \`X-Signature-Version: 2\`, and sign
\`v2:METHOD:TARGET:TIMESTAMP:DEVICE_ID:sha256hex(IDEMPOTENCY_KEY):sha256hex(body)\`. DEVICE_ID is the text of
\`X-Device-Id\`. IDEMPOTENCY_KEY is the text of \`Idempotency-Key\`. Each is empty if the request lacks the header. Then nobody
on the way can redirect the request to another device, or give it another reference.

Using one signature twice is safe. A repeated send gets its first answer again. The server refuses any other repeated change.
A repeated GET changes nothing, and gets the present answer until its timestamp is 300 s old. So keep \`X-Signature\` out of logs
for that time. Sign in milliseconds, so that equal requests within one second have different signatures.`;

/** The refusals of a path or a method that does not exist. */
const pathErrors: readonly ErrorCode[] = ['NOT_FOUND', 'METHOD_NOT_ALLOWED'];

/** The errors that a signed request can meet. The other codes of the catalogue belong to the dashboard. */
const signedErrors = errorCodes.filter(
  (code) => pathErrors.includes(code) || publicOperationNames.some((operation) => errorsOf(operation).includes(code)),
);

const errorBody = z
  .strictObject({
    success: z.literal(false),
    code: z.enum(signedErrors),
    error: z.string().meta({ description: 'A sentence that says what to do next.' }),
  })
  .meta({ id: 'Error' });

const headers = {
  requestId: {
    description: 'The id of the request. Name it when you ask us about the request.',
    schema: { type: 'string' },
  },
  retryAfter: { description: 'The number of seconds after which to try again.', schema: { type: 'integer' } },
  invalidField: {
    description:
      'The wrong field and the rule that it breaks, such as `field=ttl_seconds&rule=too_high&limit=86400`. It is there if the body or the query is wrong.',
    schema: { type: 'string' },
  },
  rateLimit: {
    description: 'The number of requests left, at most a second old, and the seconds until the next window begins.',
    schema: { type: 'string' },
  },
  rateLimitPolicy: {
    description:
      'The number of requests per window, and the seconds of a window. A refusal because of `body-bytes` names the bytes that may arrive at once.',
    schema: { type: 'string' },
  },
  replayed: {
    description: '`true`: the request is a repeat, and this is the first answer again.',
    schema: { type: 'string', const: 'true' },
  },
} as const;

/** The error codes of an operation, in the catalogue's order. */
export function errorsOf(operation: PublicOperationName): ErrorCode[] {
  const own: readonly ErrorCode[] = publicOperations[operation].errors;
  return errorCodes.filter((code) => own.includes(code) || (commonErrors as readonly ErrorCode[]).includes(code));
}

function findExample(operation: PublicOperationName, code: ErrorCode): Example | undefined {
  return examples[operation]?.find((example) => example.code === code);
}

/** Lists `operation CODE` for each error that has no recorded example. */
export function findMissingExamples(): string[] {
  return publicOperationNames.flatMap((operation) =>
    errorsOf(operation).flatMap((code) => (findExample(operation, code) === undefined ? [`${operation} ${code}`] : [])),
  );
}

function errorExamples(operation: PublicOperationName, codes: readonly ErrorCode[]) {
  return Object.fromEntries(
    codes.flatMap((code) => {
      const example = findExample(operation, code);
      const value = { success: false, code, error: example?.error };
      return example === undefined ? [] : [[code, { summary: errorCatalogue[code].summary, value }]];
    }),
  );
}

function errorResponse(operation: PublicOperationName, status: number): ZodOpenApiResponseObject {
  const codes = errorsOf(operation).filter((code) => errorCatalogue[code].status === status);
  const retry = status === 429 || status === 503 ? { 'Retry-After': headers.retryAfter } : {};
  const limit = status === 429 ? { RateLimit: headers.rateLimit, 'RateLimit-Policy': headers.rateLimitPolicy } : {};
  const field = codes.includes('INVALID_REQUEST') ? { [invalidFieldHeader]: headers.invalidField } : {};
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].summary}`).join('\n\n'),
    headers: { 'X-Request-Id': headers.requestId, ...retry, ...limit, ...field },
    content: { 'application/json': { schema: errorBody, examples: errorExamples(operation, codes) } },
  };
}

function successResponse(entry: PublicOperation): ZodOpenApiResponseObject {
  const replayed = entry.repeat === 'first-answer' ? { 'Idempotent-Replayed': headers.replayed } : {};
  const schema = z.strictObject({
    success: z.literal(true),
    message: z.literal(entry.message),
    data: entry.data,
  });
  return {
    description: entry.message,
    headers: {
      'X-Request-Id': headers.requestId,
      RateLimit: headers.rateLimit,
      'RateLimit-Policy': headers.rateLimitPolicy,
      ...replayed,
    },
    content:
      entry.answers === 'file'
        ? { 'text/csv': { schema: entry.data }, 'application/x-ndjson': { schema: entry.data } }
        : { 'application/json': { schema } },
  };
}

const sameRenewal =
  'A name of the request. A repeat with the same name gets the same renewal, also when it is paid by then. If that one expired or was cancelled, a new one is made.';

function headerParameters(entry: PublicOperation): z.ZodObject {
  const device = {
    'X-Device-Id': z.string().meta({ description: 'The id of a device of the account. The dashboard shows it.' }),
  };
  const key = (description: string) => ({ 'Idempotency-Key': clientRef.optional().meta({ description }) });
  return z.object({
    ...(entry.device ? device : {}),
    ...(entry === publicOperations.sendMessage ? key('The same as `client_ref` in the body.') : {}),
    ...(entry === publicOperations.renewAccount ? key(sameRenewal) : {}),
  });
}

function pathParameters(entry: PublicOperation): z.ZodObject {
  const names = [...entry.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => (name === undefined ? [] : [name]));
  return z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
}

/** The parameters of a query schema. The schema ends in a transform, and its input has the parameters. */
function queryParameters(entry: PublicOperation): z.ZodObject | null {
  const { query } = entry;
  const input = query instanceof z.ZodPipe ? query.def.in : query;
  return input instanceof z.ZodObject ? input : null;
}

const ofTestKeys: Record<TestKeys, string> = {
  sandbox: 'A test key may use it for devices of a sandbox network and what belongs to them.',
  any: 'A test key may use it, too.',
  never: 'It needs a live key.',
};

function operationObject(operation: PublicOperationName): ZodOpenApiOperationObject {
  const entry: PublicOperation = publicOperations[operation];
  const query = queryParameters(entry);
  const statuses = [...new Set(errorsOf(operation).map((code) => errorCatalogue[code].status))];
  return {
    operationId: operation,
    summary: entry.summary,
    description: `The key needs the scope \`${entry.scope}\`. ${ofTestKeys[entry.testKeys]}`,
    tags: [entry.path.split('/')[3] ?? 'api'],
    requestParams: {
      header: headerParameters(entry),
      path: pathParameters(entry),
      ...(query === null ? {} : { query }),
    },
    ...(entry.body === null
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: entry.body } } } }),
    responses: {
      '200': successResponse(entry),
      ...Object.fromEntries(statuses.map((status) => [String(status), errorResponse(operation, status)])),
    },
  };
}

function pathObjects(): Record<string, Record<string, ZodOpenApiOperationObject>> {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of publicOperationNames) {
    const { method, path } = publicOperations[operation];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation) };
  }
  return paths;
}

const inHeader = (name: string, text: string) => ({ type: 'apiKey', in: 'header', name, description: text }) as const;

/** Makes the document for a server at `serverUrl`. */
export function openApiDocument(serverUrl: string): object {
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Kurir', version: '0.1.0', description },
    servers: [{ url: serverUrl }],
    security: [
      { key: [], timestamp: [], signature: [] },
      { key: [], timestamp: [], signature: [], signatureVersion: [] },
    ],
    components: {
      securitySchemes: {
        key: inHeader('X-API-Key', 'The id of an API key: `kk_live_…`, or `kk_test_…` for the sandbox.'),
        timestamp: inHeader('X-Timestamp', 'The time of signing, in Unix seconds or milliseconds.'),
        signature: inHeader(
          'X-Signature',
          'The HMAC-SHA256 of METHOD:TARGET:TIMESTAMP:sha256hex(body), in lower-case hex. In scheme 2, of the text that begins with v2.',
        ),
        signatureVersion: inHeader(
          'X-Signature-Version',
          '`2`: X-Signature is of scheme 2, which signs X-Device-Id and Idempotency-Key too. Leave it out for scheme 1.',
        ),
      },
    },
    paths: pathObjects(),
    webhooks: webhookObjects(),
  });
}
