/** Adds the contacts of a filter to lists, or removes them. A repeated call goes on, and ends when nothing is left. */
import { type AccountId, limits } from '@kurir/contracts';
import { type Audit, noteAudit } from '../accounts/audit.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import { type ContactFilter, matches, valuesOf } from './read-contacts.js';

export type ListChange = { readonly add: readonly string[]; readonly remove: readonly string[] };

const batchMaxContacts = 2_000;

export type ChangedLists = { readonly changed: number; readonly hasMore: boolean };

/** Writes the row of the audit log in the transaction of the first batch. */
export async function changeLists(
  { lists }: Database,
  accountId: AccountId,
  filter: ContactFilter,
  { add, remove }: ListChange,
  audit?: Audit,
): Promise<ChangedLists> {
  let changed = 0;
  for (let isFirst = true; changed < limits.changeListsMaxContacts; isFirst = false) {
    const batch = await inTransaction(lists, async (client) => {
      // Other transactions lock contacts in the order of their numbers, too.
      const { rowCount } = await client.query(
        `WITH page AS MATERIALIZED (
           SELECT c.id FROM contacts c
           WHERE ${matches} AND (NOT c.lists @> $9::text[] OR c.lists && $10::text[])
           ORDER BY c.phone LIMIT ${batchMaxContacts} FOR UPDATE)
         UPDATE contacts c SET updated_at = now(),
           lists = ARRAY(SELECT DISTINCT l FROM unnest(c.lists || $9::text[]) AS l WHERE l <> ALL ($10::text[]) ORDER BY l)
         FROM page WHERE c.id = page.id`,
        [...valuesOf(accountId, filter), add, remove],
      );
      if (isFirst && (rowCount ?? 0) > 0 && audit !== undefined) await noteAudit(client, audit, null);
      return rowCount ?? 0;
    });
    changed += batch;
    if (batch < batchMaxContacts) return { changed, hasMore: false };
  }
  return { changed, hasMore: true };
}
