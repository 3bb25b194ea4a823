import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkTimestamp } from './check-timestamp.js';

const now = 1_795_240_800;
const nowMs = now * 1000;

describe('any other text', () => {
  it.each([
    '',
    ' ',
    '0',
    '-1795240800',
    '+1795240800',
    '1795240800 ',
    '1795240800\n',
    '179524080',
    '17952408000',
    '179524080000',
    '17952408000000',
    '1795240800.5',
    '1.79524e9',
    '0x6b016aa0',
    '1e12345678',
    '2026-11-21T06:00:00Z',
    '１７９５２４０８００',
    'NaN',
    '٠١٢٣٤٥٦٧٨٩',
  ])('is malformed, not out of range: %j', (text) => {
    expect(checkTimestamp(text, nowMs)).toEqual({ outcome: 'malformed' });
  });

  it('never causes an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(checkTimestamp(text, nowMs).outcome).not.toBe('ok');
      }),
    );
  });
});

describe('a time outside the window', () => {
  it.each([
    ['301 s ago', String(now - 301), -301],
    ['61 s ahead', String(now + 61), 61],
    ['one millisecond too old', String(nowMs - 300_001), -301],
    ['one millisecond too far ahead', String(nowMs + 60_001), 61],
    ['the beginning of time', '0000000000', -now],
    ['seconds filled up to 13 digits', `000${now}`, -1_793_445_560],
    ['the largest number of 13 digits', '9999999999999', 9_999_999_999 - now + 1],
  ])('leads to its skew: %s', (_, text, skewSeconds) => {
    expect(checkTimestamp(text, nowMs)).toEqual({ outcome: 'out-of-range', skewSeconds });
  });
});

describe('a time inside the window', () => {
  it.each([
    ['now', now],
    ['300 s ago', now - 300],
    ['60 s ahead', now + 60],
    ['now, in milliseconds', nowMs],
    ['300 s ago, in milliseconds', nowMs - 300_000],
    ['60 s ahead, in milliseconds', nowMs + 60_000],
  ])('is ok at both ends: %s', (_, time) => {
    expect(checkTimestamp(String(time), nowMs)).toEqual({ outcome: 'ok' });
  });

  it('depends on the given window', () => {
    const window = { maxPastSeconds: 10, maxFutureSeconds: 0 };
    expect(checkTimestamp(String(now - 10), nowMs, window)).toEqual({ outcome: 'ok' });
    expect(checkTimestamp(String(now - 11), nowMs, window)).toEqual({ outcome: 'out-of-range', skewSeconds: -11 });
    expect(checkTimestamp(String(now + 1), nowMs, window)).toEqual({ outcome: 'out-of-range', skewSeconds: 1 });
  });
});
