/**
 * The wire is snake_case, TypeScript is camelCase. The functions here rename keys only, by rule. So every name of the
 * API documentation has a camelCase form, and new fields of the gateway pass without a change.
 */

type CamelKey<K extends string> = K extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelKey<Tail>>}` : K;

/** The wire shape `T` with its keys in camelCase. */
export type CamelCased<T> = T extends readonly (infer Item)[]
  ? CamelCased<Item>[]
  : T extends object
    ? { [K in keyof T as CamelKey<K & string>]: CamelCased<T[K]> }
    : T;

/** The keys within these fields are names that a customer chose, so they stay. */
const isFree = (key: string) => key === 'values' || key === 'attributes';

type Rename = (key: string) => string;

function renameFields(fields: object, rename: Rename): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [rename(key), isFree(key) ? value : renameWithin(value, rename)]),
  );
}

function renameWithin(value: unknown, rename: Rename): unknown {
  if (Array.isArray(value)) return value.map((item) => renameWithin(item, rename));
  return typeof value === 'object' && value !== null && !(value instanceof Date) ? renameFields(value, rename) : value;
}

export function toCamelCase(wire: object): Record<string, unknown> {
  return renameFields(wire, (key) => key.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase()));
}

export function toSnakeCase(fields: object): Record<string, unknown> {
  return renameFields(fields, (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}
