import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeSignature } from './decode-signature.js';

it('returns null, never a shorter buffer, for a text that is not 64 hex digits', () => {
  for (const text of [
    '',
    '0',
    'zz'.repeat(32),
    'ab'.repeat(31),
    'ab'.repeat(33),
    `${'ab'.repeat(31)}zz`,
    `${'ab'.repeat(32)}\n`,
  ]) {
    expect(decodeSignature(text)).toBeNull();
  }
});

it('returns the same 32 bytes for upper and lower case', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const hex = Buffer.from(bytes).toString('hex');
      expect(decodeSignature(hex)).toEqual(Buffer.from(bytes));
      expect(decodeSignature(hex.toUpperCase())).toEqual(Buffer.from(bytes));
    }),
  );
});
