import { listContacts as list } from '@kurir/database/contacts';
import type { Handler } from '../operations/operation-request.js';
import { readFilter } from './read-phone-text.js';
import { showContact } from './show-contact.js';

export const listContacts: Handler<'listContacts'> = async ({ caller, query }, { database }) => {
  const filter = await readFilter(database, caller.accountId, query);
  const { contacts, nextCursor } = await list(database, caller.accountId, filter);
  return { contacts: contacts.map(showContact), next_cursor: nextCursor };
};
