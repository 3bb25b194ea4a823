import { expect, test } from 'vitest';
import { readPasted } from './read-pasted.js';

test('numbers stand in lines, or several in a line', () => {
  const { rows, unread } = readPasted('081234567890\n\n081234567891, 081234567892\nBudi');
  expect(rows.map(({ phone }) => phone)).toEqual(['6281234567890', '6281234567891', '6281234567892']);
  expect(unread).toEqual([4]);
});

test('cells of a spreadsheet belong to the number of their line', () => {
  const pasted = readPasted('Nama\tHP\tKota\nBudi\t081234567890\tBandung\nSiti\t081234567891\t\n');
  expect(pasted).toEqual({
    columns: ['Nama', 'Kota'],
    rows: [
      { phone: '6281234567890', values: { Nama: 'Budi', Kota: 'Bandung' } },
      { phone: '6281234567891', values: { Nama: 'Siti', Kota: '' } },
    ],
    unread: [],
    spoiled: [],
  });
});

test('a separator inside quotes belongs to its cell', () => {
  const { rows } = readPasted('Nama,HP\n"Budi, ""Bos""",081234567890');
  expect(rows).toEqual([{ phone: '6281234567890', values: { Nama: 'Budi, "Bos"' } }]);
});

test('a name without a header has no column, and its number counts', () => {
  const { columns, rows } = readPasted('081234567890;Budi\n081234567891;Siti');
  expect(columns).toEqual([]);
  expect(rows).toHaveLength(2);
});

test('numbers that a spreadsheet has spoiled are named, and not sent to', () => {
  const { rows, spoiled } = readPasted('HP\n6.28123E+12\n"6,28123E+12"\n081234567890');
  expect(rows).toHaveLength(1);
  expect(spoiled).toEqual([2, 3]);
});
