import { expect, test } from 'vitest';
import type { OpenApi, Placed } from '../openapi/document.js';
import { callOf, targetOf } from './call.js';
import { pythonSample, typescriptSample } from './clients.js';
import { curlSample, kurirSample } from './curl.js';

const schema = {
  type: 'object',
  required: ['name', 'count'],
  properties: { name: { type: 'string', example: "Budi's" }, count: { type: 'integer' }, note: { type: 'string' } },
};
const operation: Placed = {
  operationId: 'renameThing',
  summary: 'Rename.',
  description: '',
  tags: ['things'],
  method: 'POST',
  path: '/api/v1/things/{thing_id}',
  parameters: [{ name: 'thing_id', in: 'path', required: true, schema: { type: 'string', example: 'th/1' } }],
  requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
  responses: { 200: { description: 'Done', content: { 'application/json': { schema: {} } } } },
};
const document: OpenApi = { paths: {}, webhooks: {}, components: { schemas: { Thing: schema } } };

test('an operation without an input of its own gets the required fields of the document', () => {
  const call = callOf(document, operation);
  expect(call.body).toEqual({ name: "Budi's", count: 1 });
  expect(targetOf(call)).toBe('/api/v1/things/th%2F1');
});

test('each language quotes the values in its own way', () => {
  const call = callOf(document, operation);
  expect(typescriptSample(call)).toContain("kurir.renameThing('th/1', { name: 'Budi\\'s', count: 1 })");
  expect(pythonSample(call)).toContain('kurir.rename_thing("th/1", name="Budi\'s", count=1)');
  expect(curlSample(call)).toContain(`kurir_curl POST /api/v1/things/th%2F1 '{"name":"Budi'\\''s","count":1}'`);
  expect(kurirSample(call)).toContain('kurir sign POST /api/v1/things/th%2F1');
});
