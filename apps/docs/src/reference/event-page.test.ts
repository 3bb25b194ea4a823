import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { jsonSchema } from '../openapi/document.js';
import { eventPage } from './event-page.js';
import { readOpenApi } from './reference-pages.js';

const document = readOpenApi(fileURLToPath(new URL('../../../..', import.meta.url)));
const page = eventPage(document);

test('every type of the document stands in one table of types', () => {
  const tables = [...page.matchAll(/^\| Type \| When \|\n\|---\|---\|\n((?:\|.*\n)+)/gm)].map(([, rows = '']) => rows);
  const named = tables.flatMap((rows) => [...rows.matchAll(/^\| `([\w.]+)`/gm)].map(([, name = '']) => name));
  expect(named.toSorted()).toEqual(Object.keys(document.webhooks).toSorted());
});

test('every event has the fields that the page names for all', () => {
  const [, frame = ''] = /## Every event\n([\s\S]*?)\n## /.exec(page) ?? [];
  const named = [...frame.matchAll(/^\| `(\w+)` /gm)].map(([, name = '']) => name).toSorted();
  for (const [name, { post }] of Object.entries(document.webhooks)) {
    const fields = Object.keys(jsonSchema(document, post.requestBody?.content)?.properties ?? {});
    expect([name, ...fields.toSorted()]).toEqual([name, ...named]);
  }
});
