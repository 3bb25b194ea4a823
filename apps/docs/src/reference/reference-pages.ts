/** The pages of the reference and their order. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenApi, operationsOf, pageOf, type Placed } from '../openapi/document.js';
import { eventPage } from './event-page.js';
import { errorsOf, operationPage, titleOf } from './operation-page.js';

export type Room = { readonly title: string; readonly operations: readonly Placed[] };

export const readOpenApi = (root: string): OpenApi =>
  JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as OpenApi;

const roomTitle = (tag: string) => tag.charAt(0).toUpperCase() + tag.slice(1).replaceAll('-', ' ');

/** The operations by their tags, both in the order of the document. */
export function roomsOf(document: OpenApi): Room[] {
  const rooms = new Map<string, Placed[]>();
  for (const operation of operationsOf(document)) {
    const [tag = 'other'] = operation.tags;
    rooms.set(tag, [...(rooms.get(tag) ?? []), operation]);
  }
  return [...rooms].map(([tag, operations]) => ({ title: roomTitle(tag), operations }));
}

export const referenceItems = (rooms: readonly Room[]) =>
  rooms.map(({ title, operations }) => ({
    text: title,
    collapsed: true,
    items: operations.map((one) => ({ text: titleOf(one), link: `/reference/${pageOf(one.operationId)}` })),
  }));

/** Every code of the API with its status, in the order of the statuses. */
function errorTable(rooms: readonly Room[]): string {
  const rows = new Map<string, string>();
  for (const { operations } of rooms)
    for (const one of operations)
      for (const { status, code, meaning } of errorsOf(one)) rows.set(code, `| ${status} | \`${code}\` | ${meaning} |`);
  return ['| Status | Code | Meaning |', '|---|---|---|', ...[...rows.values()].toSorted()].join('\n');
}

function overview(rooms: readonly Room[]): string {
  const tables = rooms.map(({ title, operations }) => {
    const rows = operations.map((one) => {
      const link = `[${titleOf(one)}](/reference/${pageOf(one.operationId)})`;
      return `| ${link} | \`${one.method} ${one.path}\` |`;
    });
    return [`## ${title}`, ['| Operation | Method and path |', '|---|---|', ...rows].join('\n')].join('\n\n');
  });
  return [
    '---\ndescription: "All operations of the API, each with samples in five languages."\n---',
    '# Reference',
    'Each operation has a page with samples in five languages, its fields, its answer, its errors, and a form that sends it. ' +
      'A machine reads the same from `/openapi.json`.',
    '[Event types](/reference/event-types) lists what the gateway tells you. A program [signs](/signing) each request. [Errors](/errors) have one form everywhere.',
    ...tables,
    '## Errors',
    errorTable(rooms),
    '',
  ].join('\n\n');
}

/** `[name, markdown]` for each page, the overview first. */
export function referencePages(root: string): [name: string, markdown: string][] {
  const document = readOpenApi(root);
  const rooms = roomsOf(document);
  const pages = rooms.flatMap(({ operations }) =>
    operations.map((one): [string, string] => [`reference/${pageOf(one.operationId)}`, operationPage(document, one)]),
  );
  return [['reference', overview(rooms)], ['reference/event-types', eventPage(document)], ...pages];
}
