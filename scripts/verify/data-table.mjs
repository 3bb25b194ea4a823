// docs/data-protection.md says for each table what it holds and how long. A table that it does not name has no answer.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Complaints about the page of `root`. */
export function checkDataTable(root) {
  const schema = readFileSync(join(root, 'prisma/schema.prisma'), 'utf8');
  const page = readFileSync(join(root, 'docs/data-protection.md'), 'utf8');
  return { tables: tablesOf(schema).length, problems: dataTableProblems(schema, page) };
}

const tablesOf = (schema) => [...schema.matchAll(/^\s*@@map\("(\w+)"\)/gm)].map(([, table]) => table);

/** The names of tables in the first column of the page's tables. */
function rowsOf(page) {
  const firstCells = [...page.matchAll(/^\|([^|]*)\|/gm)].map(([, cell]) => cell);
  return firstCells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, table]) => table));
}

/** The same on texts. */
export function dataTableProblems(schema, page) {
  const [tables, rows] = [tablesOf(schema), rowsOf(page)];
  return [
    ...tables.filter((table) => !rows.includes(table)).map((table) => `the page has no row for the table ${table}`),
    ...rows.filter((row) => !tables.includes(row)).map((row) => `the page has a row for ${row}, which is no table`),
    ...rows.filter((row, i) => rows.indexOf(row) !== i).map((row) => `the page has two rows for ${row}`),
  ];
}
