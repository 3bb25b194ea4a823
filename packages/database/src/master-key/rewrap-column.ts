/**
 * Puts the boxes of a column under the master key that seals, in slices, while others write. A row that somebody changed
 * or locks meanwhile keeps what it has: the next pass finds it. It may run twice, in parallel, and be broken off.
 */
import type { Database } from '../postgres/connect.js';
import type { Box, KeyValue, SealedColumn } from './sealed-columns.js';

export type PassCounts = {
  /** Rows with a box. */
  seen: number;
  rewrapped: number;
  /** Rows that somebody else changed meanwhile. */
  missed: number;
  /** How many rows name each key. Rows that name none stand under the empty text. */
  readonly byKey: Map<string, number>;
  /** The names of the first rows that no key opens. */
  readonly unreadable: string[];
  unreadableCount: number;
};

export type PassOptions = {
  /** The id of the key that seals. */
  readonly keyId: string;
  /** Only counts. */
  readonly lookOnly?: boolean;
  onSlice?(counts: PassCounts): void;
};

const sliceRows = 1_000;
const namedUnreadable = 10;

type Row = { readonly key: readonly KeyValue[]; readonly name: string; readonly keyId: string; readonly box: Box };
type Change = { readonly key: readonly KeyValue[]; readonly before: Box; readonly after: Box };

async function readSlice({ lists }: Database, column: SealedColumn, after: readonly KeyValue[]): Promise<Row[]> {
  const names = Object.keys(column.key);
  const from = Object.values(column.key).map((type, index) => `$${index + 1}::${type}`);
  const { rows } = await lists.query<(KeyValue | null)[] & { readonly length: number }>({
    rowMode: 'array',
    text: `SELECT ${names.join(', ')}, ${column.more ?? 'NULL'}, ${column.keyId}, ${column.column} FROM ${column.table} t
           WHERE (${names.join(', ')}) > (${from.join(', ')}) AND ${column.column} IS NOT NULL
           ORDER BY ${names.join(', ')} LIMIT ${sliceRows}`,
    values: [...after],
  });
  return rows.map((row) => {
    const values: readonly unknown[] = row;
    const key = values.slice(0, names.length) as KeyValue[];
    const [more, keyId, box] = values.slice(names.length) as [KeyValue | null, string | null, Box];
    return { key, name: column.name(...key, more ?? ''), keyId: keyId ?? '', box };
  });
}

/** Returns how many rows changed. It waits for no lock, so it never takes part in a deadlock. */
async function writeChanges({ pool }: Database, column: SealedColumn, changes: readonly Change[]): Promise<number> {
  const names = Object.keys(column.key);
  const types = [...Object.values(column.key), column.type, column.type];
  const isSameRow = names.map((name) => `t.${name} = change.${name}`).join(' AND ');
  const isUnchanged = `${isSameRow} AND t.${column.column} = change.before`;
  const { rowCount } = await pool.query(
    `WITH change AS (
       SELECT * FROM unnest(${types.map((type, i) => `$${i + 1}::${type}[]`).join(', ')}) AS c (${names.join(', ')}, before, after)),
     free AS (
       SELECT change.* FROM ${column.table} t JOIN change ON ${isUnchanged} FOR NO KEY UPDATE OF t SKIP LOCKED)
     UPDATE ${column.table} t SET ${column.column} = change.after FROM free change WHERE ${isUnchanged}`,
    [
      ...names.map((_, index) => changes.map(({ key }) => key[index])),
      changes.map(({ before }) => before),
      changes.map(({ after }) => after),
    ],
  );
  return rowCount ?? 0;
}

/** Goes over all rows of the column once. */
export async function passOver(
  database: Database,
  column: SealedColumn,
  { keyId, lookOnly = false, onSlice }: PassOptions,
): Promise<PassCounts> {
  const counts: PassCounts = {
    seen: 0,
    rewrapped: 0,
    missed: 0,
    byKey: new Map(),
    unreadable: [],
    unreadableCount: 0,
  };
  let after: readonly KeyValue[] = Object.values(column.key).map((type) => (type === 'int' ? 0 : ''));
  for (;;) {
    const rows = await readSlice(database, column, after);
    const last = rows.at(-1);
    if (last === undefined) return counts;
    after = last.key;
    const changes: Change[] = [];
    for (const row of rows) {
      counts.seen++;
      counts.byKey.set(row.keyId, (counts.byKey.get(row.keyId) ?? 0) + 1);
      if (lookOnly || row.keyId === keyId) continue;
      const box = await column.rewrap(row.box, row.name);
      if (box !== null) changes.push({ key: row.key, before: row.box, after: box });
      else if (++counts.unreadableCount <= namedUnreadable) counts.unreadable.push(row.name);
    }
    const rewrapped = changes.length === 0 ? 0 : await writeChanges(database, column, changes);
    counts.rewrapped += rewrapped;
    counts.missed += changes.length - rewrapped;
    onSlice?.(counts);
  }
}
