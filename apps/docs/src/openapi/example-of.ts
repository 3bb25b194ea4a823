/** Makes an example of an answer from its schema. */
import { type OpenApi, resolve, type Schema } from './document.js';

const isNull = ({ type }: Schema) => type === 'null';

const ofFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-11-21T09:00:00.000Z',
  uri: 'https://example.com',
};

function ofText(schema: Schema): string {
  return ofFormat[schema.format ?? ''] ?? 'text';
}

const maxDepth = 7;

export function exampleOf(document: OpenApi, given: Schema, depth = 0): unknown {
  const schema = resolve(document, given);
  if (schema.example !== undefined) return schema.example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (depth > maxDepth) return null;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const resolved = choices.map((choice) => resolve(document, choice));
    return exampleOf(document, resolved.find((choice) => !isNull(choice)) ?? {}, depth + 1);
  }
  const [type] = [schema.type].flat().filter((one) => one !== 'null');
  if (type === 'object' || schema.properties !== undefined) {
    const entries = Object.entries(schema.properties ?? {});
    return Object.fromEntries(entries.map(([name, field]) => [name, exampleOf(document, field, depth + 1)]));
  }
  if (type === 'array') return schema.items === undefined ? [] : [exampleOf(document, schema.items, depth + 1)];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  return type === 'string' ? ofText(schema) : null;
}
