import { expect, test } from 'vitest';
import { zonedTime } from './zoned-time.js';

const at = new Date('2026-11-26T20:30:05.007Z');

test.each([
  [null, '2026-11-26T20:30:05.007Z'],
  ['UTC', '2026-11-26T20:30:05.007+00:00'],
  ['Asia/Jakarta', '2026-11-27T03:30:05.007+07:00'],
  ['Asia/Kathmandu', '2026-11-27T02:15:05.007+05:45'],
  ['America/New_York', '2026-11-26T15:30:05.007-05:00'],
])('in %s it is %s', (zone, written) => {
  expect(zonedTime(zone)(at)).toBe(written);
  expect(new Date(written).getTime()).toBe(at.getTime());
});

test('no time stays no time', () => {
  expect([zonedTime(null)(null), zonedTime('Asia/Jakarta')(undefined)]).toEqual([null, null]);
});
