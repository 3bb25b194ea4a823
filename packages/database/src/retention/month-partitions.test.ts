import { newId } from '@kurir/contracts';
import { expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { keepMonthPartitions } from './month-partitions.js';

const fixture = useDatabaseFixture();

async function partitions(): Promise<string[]> {
  const rows = await fixture().query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'message_contents'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name.replace('message_contents_', ''));
}

const monthOf = (at: Date) => at.toISOString().slice(0, 7).replace('-', '_');
const inMonths = (ahead: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 15));
};

const store = async (at: Date) => {
  const id = newId('msg', at.getTime());
  const sql = `INSERT INTO message_contents (message_id, kind, key_number, sealed, is_code) VALUES ($1, 'text', 1, '', false)`;
  await fixture().query(sql, [id]);
  const [row] = await fixture().query<{ name: string }>(
    'SELECT tableoid::regclass::text AS name FROM message_contents WHERE message_id = $1',
    [id],
  );
  return row?.name.replace('message_contents_', '');
};

test('contents are in the partition of their month, from the migration on', async () => {
  for (const ahead of [0, 1, 2]) expect(await store(inMonths(ahead))).toBe(monthOf(inMonths(ahead)));
  expect(await store(inMonths(9))).toBe('default');
});

test('months ahead get partitions before they begin, by any number of workers, and empty past ones are dropped', async () => {
  await fixture().query('DELETE FROM message_contents');
  await store(inMonths(1));
  const later = inMonths(4);
  await Promise.all([1, 2, 3].map(() => keepMonthPartitions(fixture().database, 460, later)));
  const left = [1, 4, 5, 6].map((ahead) => monthOf(inMonths(ahead))).toSorted();
  expect(await partitions()).toEqual([...left, 'default']);
  expect(await keepMonthPartitions(fixture().database, 460, later)).toEqual([]);
});

test('a month with contents in the default partition stays there', async () => {
  await store(inMonths(12));
  await keepMonthPartitions(fixture().database, 460, inMonths(11));
  const all = await partitions();
  expect(all).not.toContain(monthOf(inMonths(12)));
  expect(all).toEqual(expect.arrayContaining([monthOf(inMonths(11)), monthOf(inMonths(13))]));
  expect(await store(inMonths(12))).toBe('default');
});

test('events are in the partition of their month too, and a month is dropped when all of it is old', async () => {
  const eventPartitions = async () => {
    const rows = await fixture().query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'events'::regclass ORDER BY 1`,
    );
    return rows.map(({ name }) => name.replace('events_', ''));
  };
  await fixture().query(
    `INSERT INTO events (account_id, generation, subject_id, kind) VALUES ('acc', event_generation(), 'acc', 'account.changed')`,
  );
  const later = inMonths(4);
  // The last day of this month is older than the limit by then; that of the next month may not be.
  const gone = await keepMonthPartitions(fixture().database, 100, later);
  expect(gone).toContain(`events_${monthOf(inMonths(0))}`);
  expect(await eventPartitions()).toEqual(
    expect.arrayContaining([2, 4, 5, 6].map((ahead) => monthOf(inMonths(ahead)))),
  );
  expect(await fixture().query(`SELECT 1 FROM events WHERE account_id = 'acc'`)).toEqual([]);
});
