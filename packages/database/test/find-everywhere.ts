import type { DatabaseFixture } from './database-fixture.js';

/** The tables that have a text in some row, as `table: row`. It looks at each column, and into bytes as UTF-8. */
export async function findEverywhere(fixture: DatabaseFixture, text: string): Promise<string[]> {
  const tables = await fixture.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname = 'public' ORDER BY 1`,
  );
  const asBytes = Buffer.from(text, 'utf8').toString('hex');
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await fixture.query<{ row: string }>(
        `SELECT x::text AS row FROM ${name} x WHERE strpos(x::text, $1) > 0 OR strpos(x::text, $2) > 0`,
        [text, asBytes],
      );
      return rows.map(({ row }) => `${name}: ${row}`);
    }),
  );
  return found.flat();
}
