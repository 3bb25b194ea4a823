/** A JSON Schema for each type of event, made from the schema of the type's subject. */
import { z } from 'zod';
import { event } from '../events/event.js';
import { type EventType, eventTypeNames, eventTypes } from '../events/event-types.js';

const typesOf = ({ shape: { type } }: (typeof event.options)[number]): readonly string[] =>
  'options' in type ? type.options : [type.value];

function schemaOf(type: EventType): z.ZodObject {
  const whole = event.options.find((option) => typesOf(option).includes(type));
  if (whole === undefined) throw new Error(`no schema of an event has the type ${type}`);
  return z.object({ ...whole.shape, type: z.literal(type) }).meta({ description: eventTypes[type].summary });
}

/** The schema of each type. */
export const eventSchemas: ReadonlyMap<EventType, z.ZodObject> = new Map(
  eventTypeNames.map((type) => [type, schemaOf(type)]),
);

/** The document that describes an event of any type. Readers ignore fields that they do not know. */
export function eventSchemaDocument(): object {
  const definitions = [...eventSchemas].map(([type, schema]) => {
    const { $schema: _dialect, ...definition } = z.toJSONSchema(schema, { io: 'input' });
    return [type, definition] as const;
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'An event of Kurir, as the feed shows it and a webhook sends it',
    oneOf: definitions.map(([type]) => ({ $ref: `#/$defs/${type}` })),
    $defs: Object.fromEntries(definitions),
  };
}
