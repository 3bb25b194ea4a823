import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDeviceId, isMessageId } from './id-forms.js';
import { newId } from './new-id.js';

const someTime = fc.integer({ min: 0, max: 2 ** 45 });

test('ids of one millisecond are all different', () => {
  const ids = Array.from({ length: 50_000 }, () => newId('msg', 1_795_000_000_000));
  expect(new Set(ids).size).toBe(ids.length);
});

test('ids sort as text by the time of their making', () => {
  fc.assert(
    fc.property(someTime, someTime, (a, b) => {
      fc.pre(a !== b);
      expect(newId('msg', a) < newId('msg', b)).toBe(a < b);
    }),
  );
});

test('an id has no colon and is not all digits, so that BullMQ accepts it', () => {
  fc.assert(
    fc.property(someTime, (ms) => {
      expect(newId('msg', ms)).toMatch(/^msg_[0-9a-hjkmnp-tv-z]{26}$/);
    }),
  );
});

test('a new id counts only as an id of its own kind', () => {
  expect(isMessageId(newId('msg'))).toBe(true);
  expect(isDeviceId(newId('dev'))).toBe(true);
  expect(isMessageId(newId('dev'))).toBe(false);
  expect(isDeviceId(newId('msg'))).toBe(false);
});

test.each([
  '',
  'msg_',
  'msg_01kajp4m3s5y8zt0v6qk2c9hb',
  'msg_01kajp4m3s5y8zt0v6qk2c9hbee',
  'msg_01KAJP4M3S5Y8ZT0V6QK2C9HBE',
])('%j is not a message id', (text) => {
  expect(isMessageId(text)).toBe(false);
});

test('a message id with a line break or U+0000 after it is not a message id', () => {
  const id = newId('msg');
  expect(isMessageId(`${id}\n`)).toBe(false);
  expect(isMessageId(`${id}\u0000`)).toBe(false);
});
