import { expect, test } from 'vitest';
import { shownAddress } from './shown-address.js';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:DB8:0::7', '2001:db8::7'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['unknown', null],
  ['', null],
  [undefined, null],
  [null, null],
])('%s is shown as %s', (address, shown) => expect(shownAddress(address)).toBe(shown));
