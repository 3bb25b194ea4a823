import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { createTestDatabase } from './test-database.js';
import type { TestDatabase } from './test-database.js';

const databases: TestDatabase[] = [];

afterEach(async () => {
  await Promise.all(databases.splice(0).map((database) => database.drop()));
});

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(text);
    return rows;
  } finally {
    await client.end();
  }
}

test('databases that are made at the same time are separate', async () => {
  databases.push(...(await Promise.all([createTestDatabase(), createTestDatabase(), createTestDatabase()])));
  const [first = '', second = '', third = ''] = databases.map((database) => database.url);
  expect(new Set([first, second, third]).size).toBe(3);
  await query(first, 'CREATE TABLE only_here (n int)');
  const found = await query(second, `SELECT 1 FROM pg_tables WHERE tablename = 'only_here'`);
  expect(found).toEqual([]);
});

test('dropping closes open connections, and may be done twice', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {}); // drop() closes this connection
  await client.connect();
  await database.drop();
  await database.drop();
  await expect(query(database.url, 'SELECT 1')).rejects.toThrow('does not exist');
});
