/**
 * Stores a batch of an import with its place in the file, in one transaction. A batch is stored once: a second worker, or
 * a second try after a lost answer, finds another place.
 */
import { limits, newId } from '@kurir/contracts';
import type pg from 'pg';
import type { AccountKeys, SealingKeys } from '../../accounts/account-keys.js';
import { type Database, inTransaction } from '../../postgres/connect.js';
import { type ImportLease, importLeaseTtlMs } from './claim-import.js';
import type { ImportCounts, ImportView } from './import-rows.js';
import { type Cells, sealCells } from './refused-cells.js';

export type ImportedContact = {
  readonly row: number;
  readonly phone: string;
  readonly name: string | null;
  readonly locale: string | null;
  readonly timeZone: string | null;
  /** Filled ones only. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly cells?: Cells;
};

export type Refusal = {
  readonly row: number;
  readonly column: string | null;
  readonly value: string;
  readonly code: string;
  /** The number, if the row has one. */
  readonly phone: string | null;
  /** For a duplicate: the row that has the number first. */
  readonly sameAsRow: number | null;
  readonly cells?: Cells;
};

export type ImportBatch = {
  /** Each number once. */
  readonly contacts: readonly ImportedContact[];
  readonly refusals: readonly Refusal[];
  readonly lastRow: number;
  readonly readBytes: number;
};

async function lockPlace(client: pg.PoolClient, lease: ImportLease, lastRow: number): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'lock-contact-import',
    text: 'SELECT 1 FROM contact_imports WHERE id = $1 AND owner = $2 AND ended_at IS NULL AND last_row = $3 FOR UPDATE',
    values: [lease.importId, lease.owner, lastRow],
  });
  return rowCount === 1;
}

/** The numbers of contacts that would have too many attributes. It locks the contacts. */
async function findFull(
  client: pg.PoolClient,
  { accountId, onExisting }: ImportView,
  contacts: readonly ImportedContact[],
) {
  const given = contacts.filter(({ attributes }) => Object.keys(attributes).length > 0);
  if (given.length === 0 || onExisting === 'keep') return new Set<string>();
  const { rows } = await client.query<{ phone: string; n: number }>({
    name: 'find-full-contacts',
    // A subquery that locks is run for each number. A join could read all contacts of the account each time.
    text: `SELECT g.phone, (SELECT count(*)::int FROM jsonb_object_keys(c.attributes || g.attributes::jsonb)) AS n
           FROM (SELECT * FROM unnest($2::text[], $3::text[]) AS u (phone, attributes) ORDER BY phone) g
           CROSS JOIN LATERAL (
             SELECT attributes FROM contacts WHERE account_id = $1 AND phone = g.phone FOR UPDATE) c`,
    values: [accountId, given.map(({ phone }) => phone), given.map(({ attributes }) => JSON.stringify(attributes))],
  });
  return new Set(rows.filter(({ n }) => n > limits.attributesMax).map(({ phone }) => phone));
}

/** All transactions lock contacts in the order of their numbers. */
const upsert = `
  INSERT INTO contacts AS c (id, account_id, phone, name, locale, time_zone, attributes, lists, consent_source, consent_at)
  SELECT g.id, $1, g.phone, g.name, g.locale, g.time_zone, g.attributes::jsonb, $8, $9, $10
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
    AS g (id, phone, name, locale, time_zone, attributes)
  ORDER BY g.phone
  ON CONFLICT (account_id, phone) DO UPDATE SET updated_at = now(),
    lists = ARRAY(SELECT DISTINCT l FROM unnest(c.lists || excluded.lists) AS l ORDER BY l),
    name = CASE WHEN $11 THEN coalesce(excluded.name, c.name) ELSE c.name END,
    locale = CASE WHEN $11 THEN coalesce(excluded.locale, c.locale) ELSE c.locale END,
    time_zone = CASE WHEN $11 THEN coalesce(excluded.time_zone, c.time_zone) ELSE c.time_zone END,
    attributes = CASE WHEN $11 THEN c.attributes || excluded.attributes ELSE c.attributes END,
    consent_source = CASE WHEN $11 THEN coalesce(excluded.consent_source, c.consent_source) ELSE c.consent_source END,
    consent_at = CASE WHEN $11 THEN coalesce(excluded.consent_at, c.consent_at) ELSE c.consent_at END
  WHERE NOT c.lists @> excluded.lists
    OR ($11 AND (coalesce(excluded.name, c.name), coalesce(excluded.locale, c.locale), coalesce(excluded.time_zone, c.time_zone),
           c.attributes || excluded.attributes, coalesce(excluded.consent_source, c.consent_source),
           coalesce(excluded.consent_at, c.consent_at))
         IS DISTINCT FROM (c.name, c.locale, c.time_zone, c.attributes, c.consent_source, c.consent_at))
  RETURNING (xmax = 0) AS added`;

async function writeContacts(client: pg.PoolClient, wish: ImportView, contacts: readonly ImportedContact[]) {
  if (contacts.length === 0) return { added: 0, updated: 0, unchanged: 0 };
  const { rows } = await client.query<{ added: boolean }>({
    name: 'import-contacts',
    text: upsert,
    values: [
      wish.accountId,
      contacts.map(() => newId('con')),
      contacts.map(({ phone }) => phone),
      contacts.map(({ name }) => name),
      contacts.map(({ locale }) => locale),
      contacts.map(({ timeZone }) => timeZone),
      contacts.map(({ attributes }) => JSON.stringify(attributes)),
      [...new Set(wish.lists)].sort(),
      wish.consentSource,
      wish.consentAt,
      wish.onExisting === 'update',
    ],
  });
  const added = rows.filter((row) => row.added).length;
  return { added, updated: rows.length - added, unchanged: contacts.length - rows.length };
}

async function writeRefusals(
  client: pg.PoolClient,
  { importId }: ImportLease,
  refusals: readonly Refusal[],
  keys: SealingKeys | undefined,
): Promise<void> {
  if (refusals.length === 0) return;
  await client.query({
    name: 'store-refusals',
    text: `INSERT INTO contact_import_refusals (import_id, row, column_name, value, code, phone, same_as_row, sealed, key_number)
           SELECT $1, *, $9 FROM unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::bytea[])`,
    values: [
      importId,
      refusals.map(({ row }) => row),
      refusals.map(({ column }) => column),
      refusals.map(({ value }) => value),
      refusals.map(({ code }) => code),
      refusals.map(({ phone }) => phone),
      refusals.map(({ sameAsRow }) => sameAsRow),
      refusals.map(({ row, cells }) => (keys === undefined ? null : sealCells(keys, { importId, row }, cells))),
      keys?.number ?? null,
    ],
  });
}

function countRefusals(before: ImportCounts['refused'], refusals: readonly Refusal[]): Record<string, number> {
  const counts: Record<string, number> = { ...before };
  for (const { code } of refusals) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

async function movePlace(client: pg.PoolClient, { importId }: ImportLease, counts: ImportCounts): Promise<void> {
  await client.query({
    name: 'move-contact-import',
    text: `UPDATE contact_imports SET last_row = $2, read_bytes = $3, rows = $4, added = $5, updated = $6, unchanged = $7,
             refused = $8, expires_at = now() + interval '${importLeaseTtlMs} milliseconds'
           WHERE id = $1`,
    values: [
      importId,
      counts.lastRow,
      counts.readBytes,
      counts.rows,
      counts.added,
      counts.updated,
      counts.unchanged,
      JSON.stringify(counts.refused),
    ],
  });
}

/** Returns the counts after the batch, or null if this worker may not go on. `before` are those of the last batch. */
export async function storeBatch(
  { database: { pool }, accountKeys }: { readonly database: Database; readonly accountKeys: AccountKeys },
  lease: ImportLease,
  wish: ImportView,
  before: ImportCounts,
  batch: ImportBatch,
): Promise<ImportCounts | null> {
  const { accountId } = wish;
  // Any row may be refused. An account that is being erased has no keys.
  const most = batch.contacts.length + batch.refusals.length;
  const keys = (await accountKeys.sealing(new Map([[accountId, most]]))).get(accountId);
  return inTransaction(pool, async (client) => {
    if (!(await lockPlace(client, lease, before.lastRow))) return null;
    const full = await findFull(client, wish, batch.contacts);
    const refusals = [
      ...batch.refusals,
      ...batch.contacts
        .filter(({ phone }) => full.has(phone))
        .map(({ row, phone, cells }) => {
          const refused = { row, phone, column: null, value: phone, code: 'too_many_attributes', sameAsRow: null };
          return { ...refused, cells } satisfies Refusal;
        }),
    ];
    const contacts = full.size === 0 ? batch.contacts : batch.contacts.filter(({ phone }) => !full.has(phone));
    const written = await writeContacts(client, wish, contacts);
    await writeRefusals(client, lease, refusals, keys);
    const counts: ImportCounts = {
      lastRow: batch.lastRow,
      readBytes: batch.readBytes,
      rows: before.rows + batch.contacts.length + batch.refusals.length,
      added: before.added + written.added,
      updated: before.updated + written.updated,
      unchanged: before.unchanged + written.unchanged,
      refused: countRefusals(before.refused, refusals),
    };
    await movePlace(client, lease, counts);
    return counts;
  });
}
