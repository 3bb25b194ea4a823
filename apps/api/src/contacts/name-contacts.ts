import { readContactNames } from '@kurir/database/contacts';
import type { Handler } from '../operations/operation-request.js';

export const nameContacts: Handler<'nameContacts'> = async ({ caller, body }, { database }) => {
  const names = await readContactNames(database, caller.accountId, body.phones);
  return { names: [...names].map(([phone, name]) => ({ phone, name })) };
};
