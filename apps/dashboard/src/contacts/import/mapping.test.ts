import { limits } from '@kurir/contracts/dashboard';
import { expect, test } from 'vitest';
import { chosen, columnsOf, keyOf, mappingOf } from './mapping.js';

const guess = { phone: 'HP', name: 'Nama', locale: null, time_zone: null };
const file = { columns: ['HP', 'Nama', 'Kota', '', 'Kota', '{x}:y'], mapping: guess };

test('columns get the guessed fields, and the others become attributes', () => {
  expect(columnsOf(file)).toEqual([
    { name: 'HP', at: 0, key: 'HP', use: 'phone' },
    { name: 'Nama', at: 1, key: 'Nama', use: 'name' },
    { name: 'Kota', at: 2, key: 'Kota', use: 'attribute' },
    { name: '{x}:y', at: 5, key: 'x y', use: 'attribute' },
  ]);
  expect(mappingOf(columnsOf(file))).toEqual({
    phone: 'HP',
    name: 'Nama',
    attributes: { Kota: 'Kota', 'x y': '{x}:y' },
  });
});

test('a field goes from one column to another', () => {
  const columns = chosen(chosen(columnsOf(file), 'Kota', 'phone'), '{x}:y', 'skip');
  expect(columns.map(({ use }) => use)).toEqual(['attribute', 'name', 'phone', 'skip']);
  expect(mappingOf(columns)).toEqual({ phone: 'Kota', name: 'Nama', attributes: { HP: 'HP' } });
});

test('a file without a column of numbers, or with two of one name, has no mapping', () => {
  expect(mappingOf(columnsOf({ ...file, mapping: { ...guess, phone: null } }))).toBe('no_phone');
  const columns = columnsOf({ columns: ['HP', 'a:b', 'a|b'], mapping: guess });
  expect(columns.map(({ use }) => use)).toEqual(['phone', 'attribute', 'skip']);
  expect(mappingOf(chosen(columns, 'a|b', 'attribute'))).toBe('same_name');
});

test('more columns than a contact can have attributes are left out', () => {
  const many = Array.from({ length: limits.attributesMax + 2 }, (_, i) => `Kolom ${i}`);
  const columns = columnsOf({ columns: ['HP', ...many], mapping: guess });
  expect(columns.filter(({ use }) => use === 'skip')).toHaveLength(2);
  expect(mappingOf(chosen(columns, `Kolom ${limits.attributesMax}`, 'attribute'))).toBe('too_many');
});

test.each([
  ['Kota', 'Kota'],
  [' kota\t asal ', 'kota asal'],
  ['::', null],
])('the column %j is the attribute %j', (column, key) => {
  expect(keyOf(column)).toBe(key);
});
