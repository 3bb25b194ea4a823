/** Writes the page of the event types. Types with the same data stand together. */
import { jsonSchema, type OpenApi, resolve, type Schema } from '../openapi/document.js';
import { exampleOf } from '../openapi/example-of.js';
import { rowsOf } from './fields.js';
import { cell, fieldTable } from './tables.js';

type EventType = { readonly name: string; readonly when: string; readonly data: Schema };

function eventTypesOf(document: OpenApi): EventType[] {
  return Object.entries(document.webhooks).map(([name, { post }]) => {
    const schema = jsonSchema(document, post.requestBody?.content) ?? {};
    return { name, when: post.summary, data: resolve(document, schema.properties?.['data'] ?? {}) };
  });
}

function groupsOf(types: readonly EventType[]): EventType[][] {
  const groups = new Map<string, EventType[]>();
  for (const type of types) {
    const key = JSON.stringify(type.data);
    groups.set(key, [...(groups.get(key) ?? []), type]);
  }
  return [...groups.values()];
}

/** `message.sent` and `message.read` are "Message events". A single type keeps its name. */
function headingOf(group: readonly EventType[], seen: Set<string>): string {
  const [subject = ''] = group[0]?.name.split('.') ?? [];
  const isFirst = !seen.has(subject);
  seen.add(subject);
  if (group.length === 1 || !isFirst) return group.map(({ name }) => name).join(', ');
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)} events`;
}

const text = (description: string): Schema => ({ type: 'string', description });

/** The fields of every event. The document repeats them for each type, with its own values. */
const frame: Schema = {
  properties: {
    id: text('The id of the event. It is the same wherever the event is shown, and at every try.'),
    type: text('One of the types below.'),
    created_at: { ...text('When it happened.'), format: 'date-time' },
    device_id: { type: ['string', 'null'], description: 'The device, if there is one.' },
    sequence: {
      type: 'integer',
      description: 'Counts the events of one subject from 1. A smaller number happened earlier.',
    },
    subject: {
      type: 'object',
      properties: { type: text('The kind of thing that the event is about.'), id: text('The id of the thing.') },
    },
    data: { type: 'object', description: 'What happened. Its fields depend on the type.' },
  },
};

function groupPart(document: OpenApi, group: readonly EventType[], heading: string): string[] {
  const [first] = group;
  if (first === undefined) return [];
  const rows = group.map(({ name, when }) => `| \`${name}\` | ${cell(when)} |`);
  const example = JSON.stringify(exampleOf(document, first.data), null, 2);
  return [
    `## ${heading}`,
    ['| Type | When |', '|---|---|', ...rows].join('\n'),
    'The `data` of such an event:',
    `\`\`\`json\n${example}\n\`\`\``,
    fieldTable(rowsOf(document, first.data)),
  ];
}

export function eventPage(document: OpenApi): string {
  const types = eventTypesOf(document);
  const seen = new Set<string>();
  return [
    '---\ndescription: "All types of events, with their data."\n---',
    '# Event types',
    'The [feed](/events) and [webhooks](/webhooks) send the same events, with the same ids and bodies.',
    '## Every event',
    fieldTable(rowsOf(document, frame)),
    ...groupsOf(types).flatMap((group) => groupPart(document, group, headingOf(group, seen))),
    '',
  ].join('\n\n');
}
