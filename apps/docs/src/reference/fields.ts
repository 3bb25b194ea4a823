/** The fields of a schema as rows of a table. Fields inside other fields have the names of both. */
import { type OpenApi, resolve, type Schema } from '../openapi/document.js';

export type Row = {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly meaning: string;
};

const maxDepth = 3;

export function rowsOf(document: OpenApi, schema: Schema, prefix = '', depth = 0): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, given]) => {
    const field = resolve(document, given);
    const name = prefix + key;
    const required = schema.required?.includes(key) ?? false;
    const row = { name, required, type: typeOf(document, field), meaning: field.description ?? '' };
    return depth >= maxDepth ? [row] : [row, ...insideOf(document, field, name, depth + 1)];
  });
}

function insideOf(document: OpenApi, field: Schema, name: string, depth: number): Row[] {
  if (field.properties !== undefined) return rowsOf(document, field, `${name}.`, depth);
  if (field.items !== undefined) return insideOf(document, resolve(document, field.items), `${name}[]`, depth);
  const choices = (field.anyOf ?? field.oneOf ?? []).map((choice) => resolve(document, choice));
  const seen = new Set<string>();
  return choices
    .flatMap((choice) => insideOf(document, choice, name, depth))
    .filter((row) => !seen.has(row.name) && seen.add(row.name));
}

const shown = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
const manyValues = 12;

function namedType(document: OpenApi, schema: Schema): string {
  if (schema.const !== undefined) return shown(schema.const);
  if (schema.enum !== undefined && schema.enum.length <= manyValues) return schema.enum.map(shown).join(', ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const types = choices.map((choice) => typeOf(document, resolve(document, choice)));
    return [...new Set(types)].join(' or ');
  }
  const types = [schema.type ?? 'any'].flat();
  if (types.includes('array')) {
    const items = schema.items === undefined ? 'any' : typeOf(document, resolve(document, schema.items));
    return types.map((type) => (type === 'array' ? `list of ${items}` : type)).join(' or ');
  }
  return types.map((type) => (type === 'string' && schema.format === 'date-time' ? 'time' : type)).join(' or ');
}

function rangeOf({ minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): string {
  const [least, most] = [minimum ?? minItems ?? minLength, maximum ?? maxItems ?? maxLength];
  const isSafe = (bound: number | undefined) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const unit = minimum ?? maximum ?? minItems ?? maxItems;
  const named = unit === undefined ? ' characters' : '';
  if (isSafe(least) && isSafe(most)) return `${least} to ${most}${named}`;
  if (isSafe(most)) return `up to ${most}${named}`;
  return isSafe(least) && least !== 0 && least !== 1 ? `at least ${least}${named}` : '';
}

export function typeOf(document: OpenApi, schema: Schema): string {
  const range = rangeOf(schema);
  return namedType(document, schema) + (range === '' ? '' : `, ${range}`);
}
