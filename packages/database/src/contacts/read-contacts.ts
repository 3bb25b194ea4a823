/** Contacts for the account that has them. */
import type { AccountId, ContactId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import { searchValues } from '../postgres/search-values.js';

export type ContactView = {
  readonly id: ContactId;
  readonly phone: string;
  readonly name: string | null;
  readonly locale: string | null;
  readonly timeZone: string | null;
  readonly attributes: Readonly<Record<string, string>>;
  readonly lists: readonly string[];
  readonly consentSource: string | null;
  readonly consentAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Over `contacts c`. */
export const contactColumns = `c.id, c.phone, c.name, c.locale, c.time_zone AS "timeZone", c.attributes, c.lists,
  c.consent_source AS "consentSource", c.consent_at AS "consentAt", c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;

/** A null field names nothing. */
export type ContactFilter = {
  readonly list: string | null;
  /** Digits with country code. */
  readonly phone: string | null;
  readonly attribute: { readonly key: string; readonly value: string } | null;
  readonly locale: string | null;
  readonly hasConsent: boolean | null;
  /** A part of the name or of the number. */
  readonly search: string | null;
};

/** SQL over `contacts c`: the contacts of the account `$1` that match the filter. The values are `$1` to `$8`. */
export const matches = `c.account_id = $1
  AND ($2::text IS NULL OR c.lists @> ARRAY[$2::text])
  AND ($3::text IS NULL OR c.phone = $3)
  AND ($4::jsonb IS NULL OR c.attributes @> $4)
  AND ($5::text IS NULL OR c.locale = $5)
  AND ($6::boolean IS NULL OR (c.consent_at IS NOT NULL) = $6)
  AND ($7::text IS NULL OR c.name ILIKE $7 OR ($8::text IS NOT NULL AND strpos(c.phone, $8) > 0))`;

export const valuesOf = (accountId: AccountId, filter: ContactFilter): unknown[] => [
  accountId,
  filter.list,
  filter.phone,
  filter.attribute === null ? null : JSON.stringify({ [filter.attribute.key]: filter.attribute.value }),
  filter.locale,
  filter.hasConsent,
  ...searchValues(filter.search),
];

export type ContactPage = { readonly contacts: readonly ContactView[]; readonly nextCursor: string | null };

type Sort = 'newest' | 'name';

/** Over `contacts c`, as the index of names has it. Contacts without a name come last. */
const nameKey = `(CASE WHEN c.name IS NULL THEN '1' || c.phone ELSE '0' || lower(c.name) END) COLLATE "C"`;

const orders: Readonly<Record<Sort, string>> = {
  newest: `($9::text IS NULL OR c.id < $9) ORDER BY c.id DESC`,
  // The cursor is an id, because a name must not stand in an address.
  name: `($9::text IS NULL OR (${nameKey}, c.id) > (SELECT ${nameKey}, c.id FROM contacts c WHERE c.account_id = $1 AND c.id = $9))
     ORDER BY ${nameKey}, c.id`,
};

type Page = { readonly sort?: Sort; readonly limit: number; readonly cursor: string | null };

export async function listContacts(
  { lists }: Database,
  accountId: AccountId,
  { limit, cursor, sort = 'newest', ...filter }: ContactFilter & Page,
): Promise<ContactPage> {
  const { rows } = await lists.query<ContactView>(
    `SELECT ${contactColumns} FROM contacts c WHERE ${matches} AND ${orders[sort]} LIMIT $10 + 1`,
    [...valuesOf(accountId, filter), cursor, limit],
  );
  const contacts = rows.slice(0, limit);
  return { contacts, nextCursor: rows.length > limit ? (contacts.at(-1)?.id ?? null) : null };
}

/** Null: the account has no such contact. */
export async function readContact(
  { pool }: Database,
  accountId: AccountId,
  contactId: ContactId,
): Promise<ContactView | null> {
  const { rows } = await pool.query<ContactView>({
    name: 'read-contact',
    text: `SELECT ${contactColumns} FROM contacts c WHERE c.account_id = $1 AND c.id = $2`,
    values: [accountId, contactId],
  });
  return rows[0] ?? null;
}

/** The names of contacts by number. A number without one is left out. */
export async function readContactNames(
  { pool }: Database,
  accountId: AccountId,
  phones: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ phone: string; name: string }>({
    name: 'read-contact-names',
    text: 'SELECT phone, name FROM contacts WHERE account_id = $1 AND phone = ANY ($2::text[]) AND name IS NOT NULL',
    values: [accountId, phones],
  });
  return new Map(rows.map(({ phone, name }) => [phone, name]));
}

export type ListCount = { readonly name: string; readonly contacts: number };

/** The names of lists with at least one contact, in alphabetical order. */
export async function readLists({ lists }: Database, accountId: AccountId): Promise<ListCount[]> {
  const { rows } = await lists.query<ListCount>(
    `SELECT l.name, count(*)::int AS contacts FROM contacts c CROSS JOIN unnest(c.lists) AS l (name)
     WHERE c.account_id = $1 GROUP BY l.name ORDER BY l.name`,
    [accountId],
  );
  return rows;
}
