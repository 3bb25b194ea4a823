import { changeLists } from '@kurir/database/contacts';
import type { Handler } from '../operations/operation-request.js';
import { readFilter } from './read-phone-text.js';

export const changeContactLists: Handler<'changeContactLists'> = async ({ caller, auditAs, body }, { database }) => {
  const filter = await readFilter(database, caller.accountId, body.filter);
  const { changed, hasMore } = await changeLists(
    database,
    caller.accountId,
    filter,
    body,
    auditAs('contacts.lists_changed'),
  );
  return { changed, has_more: hasMore };
};
