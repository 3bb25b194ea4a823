import { changeContact } from '@kurir/database/contacts';
import type { Handler } from '../operations/operation-request.js';
import { contactNotFound, requireContactId, tooManyAttributes } from './require-contact.js';
import { showContact } from './show-contact.js';

export const updateContact: Handler<'updateContact'> = async ({ caller, auditAs, params, body }, { database }) => {
  const which = { accountId: caller.accountId, contactId: requireContactId(params.contact_id) };
  const changed = await changeContact(database, which, body, auditAs('contact.changed'));
  if (changed === null) throw contactNotFound();
  if (changed === 'too-many-attributes') throw tooManyAttributes();
  return showContact(changed);
};
