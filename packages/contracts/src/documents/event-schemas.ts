/** A JSON Schema for each type of event, made from the schemas of the contracts. */
import { z } from 'zod';
import { event } from '../events/event.js';
import { type EventType, eventTypeNames, eventTypes } from '../events/event-types.js';

function typesOf({ shape }: { readonly shape: { readonly type: z.ZodType } }): readonly unknown[] {
  const { type } = shape;
  if (type instanceof z.ZodEnum) return type.options;
  return type instanceof z.ZodLiteral ? [...type.values] : [];
}

function schemaOf(type: EventType): z.ZodObject {
  const whole: z.ZodObject<{ type: z.ZodType }> | undefined = event.options.find((option) =>
    typesOf(option).includes(type),
  );
  if (whole === undefined) throw new Error(`no schema of an event has the type ${type}`);
  if (whole.shape.type instanceof z.ZodLiteral) return whole;
  return z.object({ ...whole.shape, type: z.literal(type) }).meta({ description: eventTypes[type].summary });
}

/** The schema of each type. */
export const eventSchemas: ReadonlyMap<EventType, z.ZodObject> = new Map(
  eventTypeNames.map((type) => [type, schemaOf(type)]),
);

type Definition = { readonly $defs?: Record<string, object> };

/** The definition of a type, and of the named schemas that it uses. Their references begin at the root. */
function definitionsOf(type: EventType, schema: z.ZodObject): Record<string, object> {
  const {
    $schema: _dialect,
    $defs,
    ...definition
  }: Definition & { $schema?: unknown } = z.toJSONSchema(schema, {
    io: 'input',
  });
  return { [type]: definition, ...$defs };
}

/** The document that describes an event of any type. Readers ignore fields that they do not know. */
export function eventSchemaDocument(): object {
  const types = [...eventSchemas];
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'An event of Kurir, as the feed shows it and a webhook sends it',
    oneOf: types.map(([type]) => ({ $ref: `#/$defs/${type}` })),
    $defs: Object.assign({}, ...types.map(([type, schema]) => definitionsOf(type, schema))),
  };
}
