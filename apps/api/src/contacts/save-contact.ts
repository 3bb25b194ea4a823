import { saveContact as save } from '@kurir/database/contacts';
import type { Handler } from '../operations/operation-request.js';
import { readPhoneText } from './read-phone-text.js';
import { tooManyAttributes } from './require-contact.js';
import { showContact } from './show-contact.js';

export const saveContact: Handler<'saveContact'> = async ({ caller, auditAs, body }, { database }) => {
  const phone = await readPhoneText(database, caller.accountId, body.phone);
  const saved = await save(database, caller.accountId, { phone, change: body.change }, auditAs('contact.saved'));
  if (saved === 'too-many-attributes') throw tooManyAttributes();
  return { contact: showContact(saved.contact), created: saved.created };
};
