import { expect, test } from 'vitest';
import type { Contact } from '../contact-queries.js';
import { bodyOf, changeOf, draftOf, emptyContact, hasWrongAttribute, isPossible } from './contact-draft.js';

const budi: Contact = {
  contact_id: 'con_1',
  phone: '6281234567890',
  name: 'Budi',
  locale: 'id',
  time_zone: null,
  attributes: { kota: 'Bandung', ukuran: 'L' },
  lists: ['member', 'promo'],
  consent: { source: 'Kasir', at: '2026-11-21T09:00:00.000Z' },
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
};

test('a new contact says only what was typed', () => {
  expect(bodyOf({ ...emptyContact, phone: ' 0812-3456 7890 ' })).toEqual({ phone: '0812-3456 7890' });
  const full = {
    ...emptyContact,
    phone: '0812',
    name: ' Siti ',
    attributes: [
      { key: ' kota ', value: 'Solo' },
      { key: '', value: '' },
    ],
    lists: ['member'],
    consent: 'Kasir ',
  };
  expect(bodyOf(full)).toEqual({
    phone: '0812',
    name: 'Siti',
    attributes: { kota: 'Solo' },
    lists: ['member'],
    consent: { source: 'Kasir' },
  });
});

test('a contact that nobody changed has no change', () => expect(changeOf(draftOf(budi), budi)).toBeNull());

test('a change names only what differs, and null clears', () => {
  const draft = {
    ...draftOf(budi),
    name: ' ',
    timeZone: 'Asia/Makassar',
    attributes: [{ key: 'kota', value: 'Solo' }],
    lists: ['promo'],
    consent: null,
  };
  expect(changeOf(draft, budi)).toEqual({
    name: null,
    time_zone: 'Asia/Makassar',
    attributes: { kota: 'Solo', ukuran: null },
    lists: ['promo'],
    consent: null,
  });
});

test('other words for a consent keep its time, and a new consent is of now', () => {
  const draft = { ...draftOf(budi), consent: 'Kasir toko Dago' };
  expect(changeOf(draft, budi)).toEqual({ consent: { source: 'Kasir toko Dago', at: budi.consent?.at } });
  expect(changeOf(draft, { ...budi, consent: null })).toEqual({ consent: { source: 'Kasir toko Dago' } });
});

test('lists in another order are the same lists', () => {
  expect(changeOf({ ...draftOf(budi), lists: ['promo', 'member'] }, budi)).toBeNull();
});

test.each([
  [[{ key: 'kota', value: '' }], false],
  [[{ key: '', value: '' }], false],
  [[{ key: '', value: 'Solo' }], true],
  [[{ key: 'ko:ta', value: 'Solo' }], true],
  [
    [
      { key: 'kota', value: 'Solo' },
      { key: ' kota', value: 'Bandung' },
    ],
    true,
  ],
])('%j is wrong: %s', (attributes, isWrong) => {
  expect(hasWrongAttribute(attributes)).toBe(isWrong);
});

test('a number, and the source of a consent, are needed', () => {
  expect(isPossible(emptyContact)).toBe(false);
  expect(isPossible({ ...emptyContact, phone: '0812' })).toBe(true);
  expect(isPossible({ ...emptyContact, phone: '0812', consent: ' ' })).toBe(false);
});
