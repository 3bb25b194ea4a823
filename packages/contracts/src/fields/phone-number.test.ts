import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRecipientNumber } from './phone-number.js';

test.each(['6281234567890', '62811000001', '14155550100', '4915123456789', '6591234567'])(
  '%s is accepted',
  (number) => {
    expect(isRecipientNumber(number)).toBe(true);
  },
);

test.each([
  ['a plus sign', '+6281234567890'],
  ['a leading 0', '081234567890'],
  ['spaces', '62 812 3456 7890'],
  ['dashes', '62-812-3456-7890'],
  ['a line break at the end', '6281234567890\n'],
  ['six digits', '628123'],
  ['sixteen digits', '6281234567890123'],
  ['a country code that does not exist', '999123456789'],
  ['a length that its country does not use', '1415555010'],
  ['digits of another script', '٦٢٨١٢٣٤٥٦٧٨٩٠'],
  ['nothing', ''],
])('a number with %s is refused', (_what, number) => {
  expect(isRecipientNumber(number)).toBe(false);
});

test('an accepted number always has 7 to 15 plain digits', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9+]{5,17}$/)), (text) => {
      if (isRecipientNumber(text)) expect(text).toMatch(/^[1-9][0-9]{6,14}$/);
    }),
    { numRuns: 200 },
  );
});
