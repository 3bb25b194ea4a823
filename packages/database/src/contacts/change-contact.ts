/** Creates, changes and deletes single contacts. */
import { type AccountId, type ContactId, limits, newId, usualCountry } from '@kurir/contracts';
import type pg from 'pg';
import { type Audit, audited, noteAudit } from '../accounts/audit.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import type { Home } from '../recipients/recipient-hours.js';
import { contactColumns, type ContactView } from './read-contacts.js';

/** A field that is undefined stays. Null clears it. */
export type ContactChange = {
  readonly name?: string | null | undefined;
  readonly locale?: string | null | undefined;
  readonly timeZone?: string | null | undefined;
  /** Attributes that are not named stay. Null removes one. */
  readonly attributes?: Readonly<Record<string, string | null>> | undefined;
  /** All lists from now on. */
  readonly lists?: readonly string[] | undefined;
  /** `at` null: now. */
  readonly consent?: { readonly source: string; readonly at: Date | null } | null | undefined;
};

/** Where people of the account live about whom nothing more is known. */
export async function readHome({ pool }: Database, accountId: AccountId): Promise<Home> {
  const { rows } = await pool.query<Home>({
    name: 'read-home',
    text: 'SELECT country, time_zone AS "timeZone" FROM accounts WHERE id = $1',
    values: [accountId],
  });
  return rows[0] ?? { country: usualCountry, timeZone: null };
}

export async function writeHome(
  database: Database,
  accountId: AccountId,
  { country, timeZone }: Home,
  audit: Audit | undefined,
): Promise<void> {
  await audited(database, audit, accountId, async (queryable) => {
    const { rowCount } = await queryable.query('UPDATE accounts SET country = $2, time_zone = $3 WHERE id = $1', [
      accountId,
      country,
      timeZone,
    ]);
    return rowCount === 1;
  });
}

const keep = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given);

/** Null: there would be too many attributes. */
function changedAttributes(before: ContactView['attributes'], given: ContactChange['attributes'] = {}) {
  const all = Object.entries({ ...before, ...given }).filter(([, value]) => value !== null);
  return all.length > limits.attributesMax ? null : Object.fromEntries(all);
}

async function write(client: pg.PoolClient, before: ContactView, change: ContactChange) {
  const attributes = changedAttributes(before.attributes, change.attributes);
  if (attributes === null) return 'too-many-attributes' as const;
  const { consent } = change;
  const { rows } = await client.query<ContactView>(
    `UPDATE contacts c SET name = $2, locale = $3, time_zone = $4, attributes = $5, lists = $6, consent_source = $7,
       consent_at = CASE WHEN $7::text IS NULL THEN NULL ELSE coalesce($8, now()) END, updated_at = now()
     WHERE c.id = $1 RETURNING ${contactColumns}`,
    [
      before.id,
      keep(change.name, before.name),
      keep(change.locale, before.locale),
      keep(change.timeZone, before.timeZone),
      JSON.stringify(attributes),
      change.lists === undefined ? before.lists : [...new Set(change.lists)].sort(),
      consent === undefined ? before.consentSource : (consent?.source ?? null),
      consent === undefined ? before.consentAt : (consent?.at ?? null),
    ],
  );
  return rows[0] ?? null;
}

export type SavedContact = { readonly contact: ContactView; readonly created: boolean };

/** Two requests for one number make one contact. */
export function saveContact(
  { pool }: Database,
  accountId: AccountId,
  { phone, change }: { readonly phone: string; readonly change: ContactChange },
  audit?: Audit,
): Promise<SavedContact | 'too-many-attributes'> {
  const id = newId('con');
  return inTransaction(pool, async (client) => {
    // The update changes nothing, but it locks the row and returns it.
    const { rows } = await client.query<ContactView>(
      `INSERT INTO contacts AS c (id, account_id, phone) VALUES ($1, $2, $3)
       ON CONFLICT (account_id, phone) DO UPDATE SET phone = excluded.phone RETURNING ${contactColumns}`,
      [id, accountId, phone],
    );
    const [before] = rows;
    if (before === undefined) throw new Error('an insert returned no row');
    const contact = await write(client, before, change);
    if (contact === 'too-many-attributes') return contact;
    if (contact === null) throw new Error('a locked contact is gone');
    if (audit !== undefined) await noteAudit(client, audit, contact.id);
    return { contact, created: before.id === id };
  });
}

type ContactOf = { readonly accountId: AccountId; readonly contactId: ContactId };

/** Null: the account has no such contact. */
export function changeContact(
  { pool }: Database,
  { accountId, contactId }: ContactOf,
  change: ContactChange,
  audit?: Audit,
): Promise<ContactView | null | 'too-many-attributes'> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<ContactView>(
      `SELECT ${contactColumns} FROM contacts c WHERE c.account_id = $1 AND c.id = $2 FOR UPDATE`,
      [accountId, contactId],
    );
    const [before] = rows;
    if (before === undefined) return null;
    const contact = await write(client, before, change);
    if (audit !== undefined && contact !== 'too-many-attributes') await noteAudit(client, audit, contactId);
    return contact;
  });
}

/** Returns false if the account has no such contact. */
export const deleteContact = (
  database: Database,
  { accountId, contactId }: ContactOf,
  audit?: Audit,
): Promise<boolean> =>
  audited(database, audit, contactId, async (queryable) => {
    const { rowCount } = await queryable.query('DELETE FROM contacts WHERE account_id = $1 AND id = $2', [
      accountId,
      contactId,
    ]);
    return rowCount === 1;
  });
