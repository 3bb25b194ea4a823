import { readLists } from '@kurir/database/contacts';
import type { Handler } from '../operations/operation-request.js';

export const listContactLists: Handler<'listContactLists'> = async ({ caller }, { database }) => ({
  lists: await readLists(database, caller.accountId),
});
