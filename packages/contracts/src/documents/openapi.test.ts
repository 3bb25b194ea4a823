import { expect, test } from 'vitest';
import { publicOperations, type PublicOperationName, publicOperationNames } from '../operations/route-table.js';
import { errorCatalogue } from '../http/errors.js';
import { eventTypeNames } from '../events/event-types.js';
import { errorsOf, findMissingExamples, openApiDocument } from './openapi.js';

type Media = { schema: unknown; examples?: Record<string, { value: Record<string, unknown> }> };
type Shown = {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { required: boolean };
  responses: Record<string, { headers?: Record<string, unknown>; content: { 'application/json'?: Media } }>;
};
type Document = {
  openapi: string;
  security: object[];
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, { name: string }> };
  paths: Record<string, Record<string, Shown>>;
  webhooks: Record<
    string,
    { post: { requestBody: { content: { 'application/json': { schema: { $ref: string } } } } } }
  >;
};

// The document as its readers see it. The tests read only the parts that `Document` names.
const document = JSON.parse(JSON.stringify(openApiDocument('https://gateway.example.com'))) as Document;

function shown(operation: PublicOperationName): Shown {
  const { path, method } = publicOperations[operation];
  const found = document.paths[path]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`${operation} is not in the document`);
  return found;
}

const examplesOf = (operation: PublicOperationName) =>
  Object.values(shown(operation).responses).flatMap(({ content }) =>
    Object.values(content['application/json']?.examples ?? {}),
  );

test('every operation of the table is in the document, and nothing else', () => {
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((shape) => shape.operationId),
  );
  expect(ids.toSorted()).toEqual([...publicOperationNames].toSorted());
  expect(document.openapi).toBe('3.1.0');
});

/** The number of error bodies that the specification shows for each of its seven publicOperationNames. */
test.each([
  ['sendMessage', 4],
  ['chatPresence', 4],
  ['disconnectDevice', 4],
  ['renewAccount', 6],
  ['deviceInfo', 3],
  ['accountInfo', 1],
  ['latestPlan', 1],
] as const)('%s shows at least the specification’s %i error bodies', (operation, count) => {
  expect(examplesOf(operation).length).toBeGreaterThanOrEqual(count);
});

test('every error of every operation has a recorded example', () => {
  expect(findMissingExamples()).toEqual([]);
});

test.each(publicOperationNames)('each example of %s is a whole envelope under its status', (operation) => {
  for (const [status, { content }] of Object.entries(shown(operation).responses)) {
    for (const [code, { value }] of Object.entries(content['application/json']?.examples ?? {})) {
      expect(value).toEqual({ success: false, code, error: expect.stringMatching(/\S/) });
      expect(errorCatalogue[code as keyof typeof errorCatalogue].status).toBe(Number(status));
    }
  }
  expect(examplesOf(operation)).toHaveLength(errorsOf(operation).length);
});

test.each(publicOperationNames)('%s names the headers of its request and of its answers', (operation) => {
  const { parameters = [], responses, requestBody } = shown(operation);
  const device = parameters.find((parameter) => parameter.name === 'X-Device-Id');
  expect(device?.required).toBe(publicOperations[operation].device ? true : undefined);
  expect(requestBody?.required).toBe(publicOperations[operation].body === null ? undefined : true);
  for (const response of Object.values(responses)) expect(response.headers).toHaveProperty('X-Request-Id');
  expect(responses['429']?.headers).toHaveProperty('Retry-After');
});

test('three headers are required together, and scheme 2 adds a fourth', () => {
  const three = { key: [], timestamp: [], signature: [] };
  expect(document.security).toEqual([three, { ...three, signatureVersion: [] }]);
  const names = Object.values(document.components.securitySchemes).map(({ name }) => name);
  expect(names).toEqual(['X-API-Key', 'X-Timestamp', 'X-Signature', 'X-Signature-Version']);
});

test('every reference has a target', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
  expect(references.length).toBeGreaterThan(10);
  for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty(name);
});

test('there is a webhook for each type of event, and its body has that type', () => {
  expect(Object.keys(document.webhooks)).toEqual(eventTypeNames);
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const name = post.requestBody.content['application/json'].schema.$ref.split('/').at(-1) ?? '';
    expect(document.components.schemas[name]).toMatchObject({ properties: { type: { const: type } } });
  }
});
