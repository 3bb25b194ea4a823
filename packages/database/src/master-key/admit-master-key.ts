/**
 * The table `master_keys` lists the keys under which the database may hold records. A process that lacks one of them must
 * not start: it could not read these records. A process says again and again that it seals with its key. So the end of
 * a change of keys can tell that nobody seals with the old key any more.
 */
import type pg from 'pg';
import { type Audit, noteAudit } from '../accounts/audit.js';
import { advisoryLocks } from '../postgres/advisory-locks.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import { RecordUnreadable, type Sealer } from '../postgres/sealer.js';
import { sealerColumns } from './sealed-columns.js';

const proofAad = (id: string) => `master-key|${id}`;

/** How often a process says that it seals with its key, and after which silence nobody does. */
const usuallyEveryMs = 5_000;
const silentAfterMs = 3 * usuallyEveryMs;

function canOpen(sealer: Sealer, sealed: Uint8Array, aad: string): boolean {
  try {
    sealer.open(sealed, aad);
    return true;
  } catch (error) {
    if (error instanceof RecordUnreadable) return false;
    throw error;
  }
}

const rowsToTry = 20;

/** A database of an earlier version lists no key. Then some of its boxes must open. Returns true if there are none. */
async function opensSome(client: pg.PoolClient, sealer: Sealer): Promise<boolean> {
  let tried = 0;
  for (const { table, column, key, more, name } of sealerColumns(sealer)) {
    const { rows } = await client.query<unknown[]>({
      rowMode: 'array',
      text: `SELECT ${column}, ${Object.keys(key).join(', ')}, ${more ?? 'NULL'} FROM ${table} t WHERE ${column} IS NOT NULL LIMIT ${rowsToTry}`,
    });
    for (const [box, ...values] of rows as [Uint8Array, ...(string | number)[]][])
      if (canOpen(sealer, box, name(...values))) return true;
    tried += rows.length;
  }
  return tried === 0;
}

async function findMissing(client: pg.PoolClient, sealer: Sealer): Promise<string[]> {
  const { rows } = await client.query<{ id: string; proof: Buffer }>('SELECT id, proof FROM master_keys ORDER BY id');
  const given = `It has ${sealer.keyIds.join(' and ')}.`;
  const missing = rows.filter(({ id, proof }) => !canOpen(sealer, proof, proofAad(id)));
  if (rows.length > 0)
    return missing.map(
      ({ id }) => `KURIR_MASTER_KEY lacks the key ${id}, under which the database holds records. ${given}`,
    );
  if (await opensSome(client, sealer)) return [];
  return [`KURIR_MASTER_KEY does not open what the database holds. ${given}`];
}

/**
 * Lists the key that seals. Returns faults if the process lacks a key that the database needs. An empty database takes any
 * key. With a fault, a process that starts lists nothing. A running one still lists its key: it seals on, and its records
 * must not lose their key.
 */
export function admitMasterKey(
  { pool }: Database,
  sealer: Sealer,
  state: 'starting' | 'running' = 'starting',
): Promise<string[]> {
  return inTransaction(pool, async (client) => {
    // Two processes with different keys may meet an empty database at the same time.
    await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.masterKeys]);
    const faults = await findMissing(client, sealer);
    if (faults.length > 0 && state === 'starting') return faults;
    await client.query(
      `INSERT INTO master_keys (id, proof, used_at) VALUES ($1, $2, now()) ON CONFLICT (id) DO UPDATE SET used_at = now()`,
      [sealer.keyId, sealer.seal(Buffer.from(sealer.keyId), proofAad(sealer.keyId))],
    );
    return faults;
  });
}

export type MasterKeyOptions = {
  /** A key was changed, and this process lacks the new one. */
  onFault(fault: string): void;
  onError(error: unknown): void;
  readonly everyMs?: number;
};

/** Says again and again that this process seals with its key. Returns the function that stops this. */
export function keepMasterKeyAdmitted(
  database: Database,
  sealer: Sealer,
  { onFault, onError, everyMs = usuallyEveryMs }: MasterKeyOptions,
): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout;
  const again = () => {
    if (!stopped) timer = setTimeout(() => void admit(), everyMs).unref();
  };
  async function admit(): Promise<void> {
    try {
      for (const fault of await admitMasterKey(database, sealer, 'running')) onFault(fault);
    } catch (error) {
      if (!stopped) onError(error);
    }
    again();
  }
  again();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

export type ListedKey = { readonly id: string; readonly isInUse: boolean };

/** The keys under which the database may hold records, and whether a process seals with each. */
export async function readMasterKeys({ pool }: Database): Promise<ListedKey[]> {
  const { rows } = await pool.query<ListedKey>(
    `SELECT id, used_at > now() - make_interval(secs => $1) AS "isInUse" FROM master_keys ORDER BY id`,
    [silentAfterMs / 1000],
  );
  return rows;
}

/**
 * Notes that boxes were put under the key that seals. If no box needs the other keys, it takes them from the list,
 * except those with which a process still seals. Returns the other keys that stay in the list.
 */
export function noteRewrapped(
  { pool }: Database,
  sealer: Sealer,
  { isClean, audit }: { readonly isClean: boolean; readonly audit: Audit },
): Promise<string[]> {
  return inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.masterKeys]);
    if (isClean)
      await client.query('DELETE FROM master_keys WHERE id <> $1 AND used_at < now() - make_interval(secs => $2)', [
        sealer.keyId,
        silentAfterMs / 1000,
      ]);
    await noteAudit(client, audit, sealer.keyId);
    const { rows } = await client.query<{ id: string }>('SELECT id FROM master_keys WHERE id <> $1 ORDER BY id', [
      sealer.keyId,
    ]);
    return rows.map(({ id }) => id);
  });
}
