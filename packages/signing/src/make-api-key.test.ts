import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeBase62 } from './encode-base62.js';
import { makeApiKeyId, makeApiSecret } from './make-api-key.js';

describe('base62', () => {
  it('has a width that depends only on the number of bytes', () => {
    expect(encodeBase62(new Uint8Array(32))).toBe('0'.repeat(43));
    expect(encodeBase62(new Uint8Array(32).fill(255))).toHaveLength(43);
    expect(encodeBase62(new Uint8Array(16).fill(255))).toHaveLength(22);
    expect(encodeBase62(Uint8Array.of())).toBe('');
  });

  it('is big-endian, digits before capitals before small letters', () => {
    expect(encodeBase62(Uint8Array.of(0))).toBe('00');
    expect(encodeBase62(Uint8Array.of(61))).toBe('0z');
    expect(encodeBase62(Uint8Array.of(62))).toBe('10');
    expect(encodeBase62(Uint8Array.of(255))).toBe('47');
  });

  it('never gives the same text for two different inputs', () => {
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const value = [...encodeBase62(bytes)].reduce((sum, digit) => sum * 62n + BigInt(alphabet.indexOf(digit)), 0n);
        expect(value.toString(16).padStart(64, '0')).toBe(Buffer.from(bytes).toString('hex'));
      }),
    );
  });
});

describe('api keys', () => {
  it('name their kind and their mode', () => {
    expect(makeApiKeyId('live')).toMatch(/^kk_live_[0-9A-Za-z]{22}$/);
    expect(makeApiKeyId('test')).toMatch(/^kk_test_[0-9A-Za-z]{22}$/);
    expect(makeApiSecret('live')).toMatch(/^ks_live_[0-9A-Za-z]{43}$/);
    expect(makeApiSecret('test')).toMatch(/^ks_test_[0-9A-Za-z]{43}$/);
  });

  it('are new every time', () => {
    expect(new Set(Array.from({ length: 1000 }, () => makeApiKeyId('test'))).size).toBe(1000);
    expect(new Set(Array.from({ length: 1000 }, () => makeApiSecret('test'))).size).toBe(1000);
  });
});
