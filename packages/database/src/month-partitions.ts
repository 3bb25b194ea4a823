/**
 * Makes the partitions of the next months and drops those that are over and empty. Contents are erased row by row; dropping
 * an empty partition returns its space at once. Any number of workers may be at it; running twice changes nothing.
 */
import type pg from 'pg';
import { advisoryLocks } from './advisory-locks.js';
import { type Database, inTransaction } from './connect.js';
import { newId } from '@kurir/contracts';

const monthsAhead = 2;
/** The present month and the one before it stay, empty or not. */
const monthsKept = 1;

const monthAt = (now: Date, ahead: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead));
const nameOf = (month: Date) => `message_contents_${month.toISOString().slice(0, 7).replace('-', '_')}`;
/** Ids begin with `msg_` and ten characters of time: smaller than all of that month or later. */
const boundOf = (month: Date) => newId('msg', month.getTime()).slice(0, 14);

/** Without a partition of its own, a month's contents stand in the default partition; then its partition cannot be made. */
const makePartition = (month: Date, next: Date) => `
  DO $$ BEGIN
    IF to_regclass('${nameOf(month)}') IS NULL AND NOT EXISTS (
      SELECT 1 FROM message_contents_default WHERE message_id >= '${boundOf(month)}' AND message_id < '${boundOf(next)}')
    THEN CREATE TABLE ${nameOf(month)} PARTITION OF message_contents FOR VALUES FROM ('${boundOf(month)}') TO ('${boundOf(next)}');
    END IF;
  END $$`;

async function findOld(client: pg.PoolClient, firstKept: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'message_contents'::regclass AND c.relname ~ '^message_contents_\\d{4}_\\d{2}$' AND c.relname < $1`,
    [firstKept],
  );
  return rows.map(({ name }) => name);
}

async function dropIfEmpty(client: pg.PoolClient, name: string): Promise<boolean> {
  const isEmpty = async () => (await client.query(`SELECT 1 FROM ${name} LIMIT 1`)).rowCount === 0;
  if (!(await isEmpty())) return false;
  await client.query(`LOCK TABLE message_contents IN ACCESS EXCLUSIVE MODE`);
  if (!(await isEmpty())) return false;
  await client.query(`DROP TABLE ${name}`);
  return true;
}

/** Rejects when it would have to wait for others for long; the next call does it. Returns the partitions that are gone. */
export function makeMonthPartitions({ pool }: Database, now = new Date()): Promise<string[]> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS mine', [
      advisoryLocks.partitions,
    ]);
    if (rows[0]?.mine !== true) return [];
    // Whoever waits for a table's lock holds up all that come after it.
    await client.query(`SET LOCAL lock_timeout = '200ms'`);
    for (let ahead = 0; ahead <= monthsAhead; ahead++)
      await client.query(makePartition(monthAt(now, ahead), monthAt(now, ahead + 1)));
    const gone: string[] = [];
    for (const name of await findOld(client, nameOf(monthAt(now, -monthsKept))))
      if (await dropIfEmpty(client, name)) gone.push(name);
    return gone;
  });
}
