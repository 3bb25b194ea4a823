import { expect, test } from 'vitest';
import { dataTableProblems } from './data-table.mjs';

const schema = ['model A {', '  @@map("as")', '}', 'model B {', '  @@ignore', '  @@map("bs")', '}'].join('\n');

test('each table of the schema has one row, and each row is a table', () => {
  expect(dataTableProblems(schema, '| `as`, `bs` | names | a day |')).toEqual([]);
  expect(dataTableProblems(schema, 'Text about `bs`.\n| `as` | `bs` |\n| `cs` | x |\n| `as` | again |')).toEqual([
    'the page has no row for the table bs',
    'the page has a row for cs, which is no table',
    'the page has two rows for as',
  ]);
});
