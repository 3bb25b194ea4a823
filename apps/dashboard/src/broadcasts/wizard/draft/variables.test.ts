import { expect, test } from 'vitest';
import { bindingsOfText, valuesOf, variableOf } from './variables.js';

test.each([
  ['Nama', 'Nama'],
  ['No. HP', 'No HP'],
  [' Kota / Kab. ', 'Kota Kab'],
  ['{{x}}', 'x'],
  ['pick', null],
  ['---', null],
  ['a'.repeat(80), 'a'.repeat(64)],
])('the column %j is the variable %j', (column, name) => {
  expect(variableOf(column)).toBe(name);
});

test('a variable takes the column of its name, and else the one that somebody chose', () => {
  const columns = { columns: ['NAMA', 'No. Pesanan', 'Kota'], columnOf: { kode: 'No. Pesanan', gone: 'no column' } };
  const bindings = bindingsOfText('{{nama|Kak}} {{kode}} {{no pesanan}} {{gone}}', 'dari {{kota}}', columns);
  expect(bindings.map(({ name, column, isChosen }) => [name, column, isChosen])).toEqual([
    ['nama', 'NAMA', false],
    ['kode', 'No. Pesanan', true],
    ['no pesanan', 'No. Pesanan', false],
    ['gone', null, true],
    ['kota', 'Kota', false],
  ]);
  expect(valuesOf(bindings, { NAMA: 'Budi', 'No. Pesanan': 'A-1', Kota: '' })).toEqual({
    nama: 'Budi',
    kode: 'A-1',
    'no pesanan': 'A-1',
    kota: '',
  });
});

test('the words of both languages name the same column, and the exact word comes first', () => {
  const columnOf = (columns: string[], text: string) =>
    bindingsOfText(text, null, { columns, columnOf: {} }).map(({ column, isChosen }) => [column, isChosen]);
  expect(columnOf(['name'], '{{nama|Kak}}')).toEqual([['name', false]]);
  expect(columnOf(['Nama'], '{{name}}')).toEqual([['Nama', false]]);
  expect(columnOf(['name', 'nama'], '{{nama}}')).toEqual([['nama', false]]);
});

test('a text with a mistake has no bindings', () => {
  expect(bindingsOfText('{{nama', null, { columns: ['nama'], columnOf: {} })).toEqual([]);
});
