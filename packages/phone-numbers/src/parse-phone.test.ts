import { describe, expect, test } from 'vitest';
import { isCountry, parsePhone } from './parse-phone.js';
import { phoneReasons, phoneSentence } from './phone-reasons.js';

const read = (text: string, country = 'ID') => {
  const parsed = parsePhone(text, country);
  return parsed.ok ? parsed.phone : parsed.reason;
};

describe('in Indonesia', () => {
  test.each([
    '081234567890',
    '0812 3456 7890',
    '0812-3456-7890',
    '(0812) 3456.7890',
    '+62 812-3456-7890',
    '+62 (0)812 3456 7890',
    '+6281234567890',
    '0062 812 3456 7890',
    '6281234567890',
    '62 812 3456 7890',
    '81234567890',
    '6281234567890.0',
    '6281234567890,00',
    '="081234567890"',
    "'081234567890",
    ' 081234567890\u200e',
    '\u202a+62\u00a0812\u20113456\u20117890\u202c',
    '０８１２３４５６７８９０',
    'tel: +6281234567890',
    'WA: 081234567890',
  ])('%s is one number', (text) => expect(read(text)).toBe('6281234567890'));

  test.each([
    ['+65 9123 4567', '6591234567'],
    ['6591234567', '6591234567'],
    ['+81 90 1234 5678', '819012345678'],
    ['447911123456', '447911123456'],
    ['0211234567', '62211234567'],
    ['085712345678', '6285712345678'],
  ])('%s is %s', (text, phone) => expect(read(text)).toBe(phone));

  test.each([
    ['', 'empty'],
    ['  \t', 'empty'],
    ["'", 'empty'],
    ['-', 'not_a_number'],
    ['Budi', 'not_a_number'],
    ['081234567890 (Budi)', 'not_a_number'],
    ['0812 ext 5', 'not_a_number'],
    ['6.28123E+12', 'ruined_by_excel'],
    ['6,28123E+12', 'ruined_by_excel'],
    ['6.28123e12', 'ruined_by_excel'],
    ['6E+12', 'ruined_by_excel'],
    ['0812', 'too_short'],
    ['+62', 'too_short'],
    ['081234567890 / 081234567891', 'too_long'],
    ['+6281234567890123456', 'too_long'],
    [`08${'1'.repeat(80)}`, 'too_long'],
    ['x'.repeat(10_000), 'not_a_number'],
    ['+999123456789', 'not_possible'],
  ])('%s is refused: %s', (text, reason) => expect(read(text)).toBe(reason));
});

test('another country reads its own local numbers', () => {
  expect(read('0171 1234567', 'DE')).toBe('491711234567');
  expect(read('(202) 555-0143', 'US')).toBe('12025550143');
  expect(read('+62 812 3456 7890', 'DE')).toBe('6281234567890');
});

test('a number in its one form is read as itself, in every country', () => {
  for (const country of ['ID', 'DE', 'US', 'SG', 'BR'])
    for (const phone of ['6281234567890', '491711234567', '12025550143', '6591234567', '5511961234567'])
      expect(read(phone, country), `${phone} in ${country}`).toBe(phone);
});

test('a number that only ends in zeros is accepted: nothing proves that a spreadsheet has ruined it', () => {
  expect(read('6281230000000')).toBe('6281230000000');
});

test('countries are codes of ISO 3166', () => {
  expect(['ID', 'SG', 'XX', 'id', ''].map(isCountry)).toEqual([true, true, false, false, false]);
  expect(() => parsePhone('1', 'XX')).toThrow(RangeError);
});

test('every reason has a sentence', () => {
  for (const reason of phoneReasons) expect(phoneSentence(reason)).toMatch(/^[A-Z].*\.$/);
});
