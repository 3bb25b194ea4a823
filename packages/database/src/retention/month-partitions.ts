/**
 * Makes the partitions of the next months and drops old ones. Contents are erased row by row, so their partitions are
 * dropped when they are empty. Events are dropped by the month. Several workers may run it at once; a second run
 * changes nothing.
 */
import { newId } from '@kurir/contracts';
import type pg from 'pg';
import { advisoryLocks } from '../postgres/advisory-locks.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import { whileAlone } from '../postgres/chores/while-alone.js';

const monthsAhead = 2;

type MonthTable = {
  readonly name: string;
  /** The lower bound of the ids or times of that month and later. */
  boundOf(month: Date): string;
  /**
   * The rows of a month are kept for this many days. Then the partition is dropped, either once it is empty or as it
   * is.
   */
  readonly keptDays: number;
  readonly dropped: 'once empty' | 'as it is';
};

const contents: MonthTable = {
  name: 'message_contents',
  // Ids begin with `msg_` and ten characters of time.
  boundOf: (month) => newId('msg', month.getTime()).slice(0, 14),
  keptDays: 31,
  dropped: 'once empty',
};

const eventsKept = (keptDays: number): MonthTable => ({
  name: 'events',
  boundOf: (month) => month.toISOString(),
  keptDays,
  dropped: 'as it is',
});

const monthAt = (now: Date, ahead: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead));
const monthName = (month: Date) => month.toISOString().slice(0, 7).replace('-', '_');
const nameOf = ({ name }: MonthTable, month: Date) => `${name}_${monthName(month)}`;

/**
 * Rows of a month without a partition go to the default partition. While it has such rows, the partition cannot be
 * made. The function belongs to the owner of the tables, so the role of the worker needs no right to make tables.
 */
async function makePartition(client: pg.PoolClient, table: MonthTable, month: Date, next: Date): Promise<void> {
  const values = [table.name, monthName(month), table.boundOf(month), table.boundOf(next)];
  await client.query('SELECT make_month_partition($1, $2, $3, $4)', values);
}

async function findOld({ pool }: Database, table: MonthTable, firstKept: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = $1::regclass AND c.relname ~ '_\\d{4}_\\d{2}$' AND c.relname < $2`,
    [table.name, firstKept],
  );
  return rows.map(({ name }) => name);
}

/** Gives up soon, because a statement that waits for a table lock blocks all later ones on the table. */
const inShortTransaction = <T>({ pool }: Database, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL lock_timeout = '500ms'`);
    return work(client);
  });

async function drop(client: pg.PoolClient, table: MonthTable, name: string): Promise<boolean> {
  const { rows } = await client.query<{ gone: boolean }>('SELECT drop_month_partition($1, $2) AS gone', [
    name,
    table.dropped === 'once empty',
  ]);
  return rows[0]?.gone === true;
}

async function keepTable(database: Database, table: MonthTable, now: Date): Promise<string[]> {
  for (let ahead = 0; ahead <= monthsAhead; ahead++)
    await inShortTransaction(database, (client) =>
      makePartition(client, table, monthAt(now, ahead), monthAt(now, ahead + 1)),
    );
  const firstKept = nameOf(table, new Date(now.getTime() - table.keptDays * 86_400_000));
  const gone: string[] = [];
  for (const name of await findOld(database, table, firstKept))
    if (await inShortTransaction(database, (client) => drop(client, table, name))) gone.push(name);
  return gone;
}

/**
 * `eventDays` is the number of days for which events are kept. Rejects if a table is locked for too long; the next call
 * tries again. Returns the dropped partitions.
 */
export async function keepMonthPartitions(database: Database, eventDays: number, now = new Date()): Promise<string[]> {
  const gone = await whileAlone(database, advisoryLocks.partitions, async () => [
    ...(await keepTable(database, contents, now)),
    ...(await keepTable(database, eventsKept(eventDays), now)),
  ]);
  return gone ?? [];
}
