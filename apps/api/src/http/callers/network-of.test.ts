import { expect, test } from 'vitest';
import { networkOf } from './network-of.js';

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
  ['203.0.113.7', '::ffff:203.0.113.7'],
  ['fe80::1%eth0', 'fe80::2%eth0'],
])('%s and %s are one caller', (a, b) => {
  expect(networkOf(a)).toBe(networkOf(b));
});

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:3::1'],
  ['203.0.113.7', '203.0.113.8'],
  ['203.0.113.7', undefined],
  ['rubbish', 'nonsense'],
])('%s and %s are two callers', (a, b) => {
  expect(networkOf(a)).not.toBe(networkOf(b));
});
