/** One call with example values, ready to be written in any language. */
import { jsonSchema, type OpenApi, type Placed } from '../openapi/document.js';
import { exampleOf } from '../openapi/example-of.js';
import { bodies, pathValues, queries } from '../openapi/inputs.js';

export type Fields = Readonly<Record<string, unknown>>;

export type Call = {
  readonly operation: Placed;
  /** The values of the path, in its order. */
  readonly path: Fields;
  readonly query: Fields;
  /** Null: the operation takes no body. */
  readonly body: Fields | null;
};

/** The required fields of the body, from the examples of the document. */
function requiredFields(document: OpenApi, operation: Placed): Fields {
  const schema = jsonSchema(document, operation.requestBody?.content) ?? {};
  const required = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name));
  return Object.fromEntries(required.map(([name, field]) => [name, exampleOf(document, field)]));
}

/** An operation without an input of its own gets values from the document. */
export function callOf(document: OpenApi, operation: Placed): Call {
  const { operationId, requestBody, parameters } = operation;
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const valueOf = (name: string) =>
    pathValues[name] ?? exampleOf(document, parameters.find((one) => one.name === name)?.schema ?? {}) ?? name;
  const body = requestBody === undefined ? null : (bodies[operationId] ?? requiredFields(document, operation));
  const path = Object.fromEntries(names.map((name) => [name, valueOf(name)]));
  return { operation, path, query: queries[operationId] ?? {}, body };
}

/** Returns path and query as they are sent. */
export function targetOf({ operation, path, query }: Call): string {
  const place = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? place : `${place}?${pairs.join('&')}`;
}

export const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
