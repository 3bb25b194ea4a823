import { expect, test } from 'vitest';
import { formatPhone } from './phone.js';

test.each([
  ['6281234567890', '+62 812 3456 7890'],
  ['62899043562837', '+62 899 0435 62837'],
  ['628123456789', '+62 812 3456 789'],
  ['62812345678', '+62 812 345 678'],
  ['14155550123', '+1 415 555 0123'],
  ['6591234567', '+65 9123 4567'],
  ['60123456789', '+60 12 345 6789'],
  ['601112345678', '+60 11 1234 5678'],
  ['447911123456', '+44 7911 123456'],
  ['919876543210', '+91 98765 43210'],
  ['4915123456789', '+49 1512 3456789'],
  ['33612345678', '+33 6 12 34 56 78'],
  ['85512345678', '+855 1234 5678'],
  ['9665012345678', '+966 501 234 5678'],
  ['3585012345', '+358 501 2345'],
  ['29912345', '+299 12345'],
  ['erased', '—'],
])('%s is shown as %s', (digits, shown) => expect(formatPhone(digits)).toBe(shown));

test('no number of any country and length ends in a lonely digit', () => {
  for (const code of ['1', '7', '20', '31', '33', '44', '49', '60', '62', '65', '84', '91', '212', '358', '855', '966'])
    for (let length = 7; length <= 15 - code.length; length += 1) {
      const shown = formatPhone(code + '8'.repeat(length));
      expect(shown.replaceAll(/\D/g, '')).toBe(code + '8'.repeat(length));
      expect(shown, shown).toMatch(/ \d{2,}$/);
    }
});
