import { readContact } from '@kurir/database/contacts';
import type { Handler } from '../operations/operation-request.js';
import { contactNotFound, requireContactId } from './require-contact.js';
import { showContact } from './show-contact.js';

export const getContact: Handler<'getContact'> = async ({ caller, params }, { database }) => {
  const contact = await readContact(database, caller.accountId, requireContactId(params.contact_id));
  if (contact === null) throw contactNotFound();
  return showContact(contact);
};
