import { expect, test } from 'vitest';
import { PairingCode } from './pairing-code.js';

const REFERENCE = Buffer.from('0123456789abcdef');

test('a repeated use counts once, and at most three uses count', () => {
  const code = new PairingCode('ABCD1234', REFERENCE, 0);
  expect(code.isUsed).toBe(false);
  const uses = ['1', '1', '2', '2', '1', '3', '3', '4', '1'].map((stanzaId) => code.use(stanzaId));
  expect(uses).toEqual([true, false, true, false, false, true, false, false, false]);
  expect(code.isUsed).toBe(true);
});

test('a code knows its own reference', () => {
  const code = new PairingCode('ABCD1234', REFERENCE, 0);
  expect(code.isOf(Uint8Array.from(REFERENCE))).toBe(true);
  for (const foreign of ['', '0123456789abcde', '0123456789abcdef0', '1123456789abcdef'])
    expect(code.isOf(Buffer.from(foreign))).toBe(false);
});
