import { deleteContact as remove } from '@kurir/database/contacts';
import type { Handler } from '../operations/operation-request.js';
import { contactNotFound, requireContactId } from './require-contact.js';

export const deleteContact: Handler<'deleteContact'> = async ({ caller, auditAs, params }, { database }) => {
  const contactId = requireContactId(params.contact_id);
  if (!(await remove(database, { accountId: caller.accountId, contactId }, auditAs('contact.deleted'))))
    throw contactNotFound();
  return { contact_id: contactId };
};
