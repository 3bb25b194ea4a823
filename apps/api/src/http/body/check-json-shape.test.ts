import { limits } from '@kurir/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkJsonShape } from './check-json-shape.js';

const check = (text: string, maxBodyBytes: number = limits.bodyMaxBytes) =>
  checkJsonShape(Buffer.from(text), maxBodyBytes);
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test('eight levels pass and nine do not', () => {
  expect(() => check(nested(8))).not.toThrow();
  expect(() => check(nested(9))).toThrow('deeper than 8');
});

test('a list of 20,000 items passes and a longer one does not', () => {
  expect(() => check(JSON.stringify(Array.from({ length: 20_000 }, () => 1)))).not.toThrow();
  expect(() => check(JSON.stringify(Array.from({ length: 20_002 }, () => 1)))).toThrow('more than 20000');
});

test('a list of recipients with their values passes where large bodies are taken', () => {
  const values = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`nama_${i}`, '1']));
  const rows = Array.from({ length: limits.broadcastMaxRowsOfRequest }, () => ({ phone: '6281234567890', values }));
  expect(() => check(JSON.stringify({ after: 0, rows }), limits.bulkBodyMaxBytes)).not.toThrow();
  expect(() => check(JSON.stringify({ after: 0, rows }))).toThrow('more than 20000');
  const tooMany = JSON.stringify(Array.from({ length: 100_002 }, () => 1));
  expect(() => check(tooMany, limits.bulkBodyMaxBytes)).toThrow('more than 100000');
});

test('brackets, commas and escaped quotes inside strings do not count', () => {
  for (const text of [
    '[[['.repeat(10_000),
    ','.repeat(50_000),
    '"[['.repeat(10_000),
    '\\'.repeat(9),
    '\\"[['.repeat(9),
  ])
    expect(() => check(JSON.stringify({ message: text }))).not.toThrow();
});

test('the largest bulk passes', () => {
  const message = { message: 'x'.repeat(7_000), phone_destination: '6281234567890', client_ref: 'a', priority: 'bulk' };
  const text = JSON.stringify({ messages: Array.from({ length: 1_000 }, () => ({ ...message, ttl_seconds: 60 })) });
  expect(text.length).toBeLessThan(limits.bulkBodyMaxBytes);
  expect(() => check(text)).not.toThrow();
});

test('any bytes are scanned to the end without another error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      try {
        checkJsonShape(Buffer.from(bytes), limits.bulkBodyMaxBytes);
      } catch (error) {
        expect(String(error)).toMatch(/deeper than|more than/);
      }
    }),
  );
});

test.each([
  ['brackets', '['.repeat(4_000_000) + ']'.repeat(4_000_000)],
  ['keys', `{${Array.from({ length: 600_000 }, (_, i) => `"k${i}":0`).join(',')}}`],
  ['one string of quotes', `"${'\\"'.repeat(4_000_000)}"`],
])('a body of 8 MB of %s takes less than 50 ms', (_, text) => {
  const raw = Buffer.from(text);
  const times = Array.from({ length: 3 }, () => {
    const since = performance.now();
    try {
      checkJsonShape(raw, limits.bulkBodyMaxBytes);
    } catch {
      // Refused, as it should be.
    }
    return performance.now() - since;
  });
  expect(Math.min(...times)).toBeLessThan(50);
});
