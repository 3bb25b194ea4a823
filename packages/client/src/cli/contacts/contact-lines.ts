/** Formats contacts for people. */
import type { Contact } from '../../contract/call-types.js';
import type { Cli } from '../terminal/cli.js';
import { type Field, harmless, tableLines } from '../terminal/layout.js';
import { localTime } from '../terminal/moments.js';

export function contactTable(contacts: readonly Contact[], { paint }: Cli): string[] {
  if (contacts.length === 0) return ['No contacts. Import a file: kurir contacts import customers.csv'];
  const rows = contacts.map(({ contactId, phone, name, lists }) => [contactId, phone, name ?? '', lists.join(', ')]);
  return tableLines(rows, (cell, column) => (column === 0 ? paint.dim(cell) : cell));
}

export function contactFields(contact: Contact): Field[] {
  const { consent } = contact;
  return [
    ['contact', contact.contactId],
    ['phone', contact.phone],
    ['name', contact.name],
    ['locale', contact.locale],
    ['time zone', contact.timeZone],
    ['lists', contact.lists.length === 0 ? null : contact.lists.join(', ')],
    ['consent', consent === null ? 'none on record' : `${consent.source}, ${localTime(consent.at)}`],
    ...Object.entries(contact.attributes).map(([key, value]): Field => [harmless(key), value]),
  ];
}
