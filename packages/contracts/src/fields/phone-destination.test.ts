import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalNumber, phoneDestination, withCountry } from './phone-destination.js';

const read = (text: string, country = 'ID') =>
  withCountry(country, () => phoneDestination.safeParse(text).data ?? null);

test.each([
  ['6281234567890', 'ID', '6281234567890'],
  ['081234567890', 'ID', '6281234567890'],
  ['0812-3456-7890', 'ID', '6281234567890'],
  [' +62 812 3456 7890 ', 'ID', '6281234567890'],
  ['+62 (0)812 3456 7890', 'ID', '6281234567890'],
  ['006281234567890', 'ID', '6281234567890'],
  ['0123456789', 'MY', '60123456789'],
  ['+6281234567890', 'MY', '6281234567890'],
  ['6281234567890', 'MY', '6281234567890'],
  ['(415) 555-0100', 'US', '14155550100'],
])('%s in %s is %s', (text, country, number) => expect(read(text, country)).toBe(number));

test.each(['', '0', 'Budi', '0812345678901234567', '6.28123E+12', '0812 3456 7890 ext. 5', '٠٨١٢٣٤٥٦٧٨٩٠x'])(
  '%j is refused',
  (text) => expect(read(text)).toBeNull(),
);

test('a number that was read once stays the same in every country', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.stringMatching(/^[0-9+ ()-]{6,20}$/), fc.string()),
      fc.constantFrom('ID', 'MY', 'US'),
      fc.constantFrom('SG', 'DE'),
      (text, country, other) => {
        const number = read(text, country);
        if (number !== null) expect(read(number, other)).toBe(number);
      },
    ),
    { numRuns: 500 },
  );
});

test('the country of one parse does not reach the next, also if the parse throws', () => {
  const fail = () =>
    withCountry('MY', () => {
      throw new Error('no');
    });
  expect(fail).toThrow('no');
  expect(canonicalNumber('081234567890')).toBe('6281234567890');
});
