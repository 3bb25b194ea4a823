/** Holds events against the schema that is published for programs. */
import { readFileSync } from 'node:fs';
import type { Event, EventType } from '@kurir/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

const file = new URL('../../../docs/events.schema.json', import.meta.url);
const published: { oneOf: { $ref: string }[] } = JSON.parse(readFileSync(file, 'utf8'));
// A pattern says more of a time than its format.
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(published, 'events');

export const publishedTypes = (): string[] => published.oneOf.map(({ $ref }) => $ref.replace('#/$defs/', ''));

/** Null if the value is an event of this type, or of any type. */
export function problemsOf(type: EventType | null, value: unknown): unknown {
  const validate = ajv.getSchema(type === null ? 'events' : `events#/$defs/${type}`);
  if (validate === undefined) throw new Error(`no schema is published for ${type}`);
  return validate(value) ? null : validate.errors;
}

export function expectToFit(event: Event): void {
  expect([event.type, problemsOf(event.type, event)]).toEqual([event.type, null]);
  expect([event.type, problemsOf(null, event)]).toEqual([event.type, null]);
}
