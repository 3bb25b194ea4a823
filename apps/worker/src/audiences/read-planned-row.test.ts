import { newId, parseTemplate } from '@kurir/contracts';
import type { ContactView } from '@kurir/database/contacts';
import { expect, test } from 'vitest';
import { createReadContact } from './read-planned-row.js';

const contact = {
  id: newId('con'),
  phone: '6281234567890',
  name: 'Budi',
  locale: null,
  timeZone: null,
  attributes: { nama: 'Pak Budi', kota: 'Solo', phone: 'rumah', diam: 'x' },
  lists: [],
  consentSource: null,
  consentAt: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
} satisfies ContactView;

function valuesOf(text: string, given: object = {}) {
  const parsing = parseTemplate(text);
  if (!parsing.ok) throw new Error(text);
  return createReadContact(parsing.template)({ ...contact, ...given }).values;
}

test('a contact brings only the values that the text uses', () => {
  expect(valuesOf('{{kota}} {{PHONE}}')).toEqual({ kota: 'Solo', phone: 'rumah' });
});

test('the name of a contact fills the Indonesian word, too', () => {
  expect(valuesOf('{{nama}}', { attributes: {} })).toEqual({ name: 'Budi' });
  expect(valuesOf('{{nomor}}', { attributes: {} })).toEqual({ phone: '6281234567890' });
  expect(valuesOf('{{nama}}')).toEqual({ name: 'Budi', nama: 'Pak Budi' });
});
