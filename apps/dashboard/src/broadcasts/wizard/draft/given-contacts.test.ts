import { expect, test } from 'vitest';
import { contactsOf } from './given-contacts.js';

test('an address without contacts changes no draft', () => {
  expect(contactsOf({ list: 'promo' })).toBeNull();
});

test('the filter of the address becomes that of the draft', () => {
  expect(contactsOf({ contacts: true })).toEqual({ list: '', q: '', attribute: '', value: '', hasConsent: false });
  expect(contactsOf({ contacts: true, q: 'budi', list: 'promo', attribute: 'jam:08:00', consent: 'yes' })).toEqual({
    list: 'promo',
    q: 'budi',
    attribute: 'jam',
    value: '08:00',
    hasConsent: true,
  });
});
