import { limits } from '@kurir/contracts/dashboard';
import { expect, test } from 'vitest';
import { troubleOf } from './file-trouble.js';

test.each([
  ['a table', 'HP,Nama\n0812,Budi\n', null],
  ['an empty file', '', 'empty'],
  ['a packed workbook', 'PK\u0003\u0004rest', 'workbook'],
] as const)('%s: %s', async (_what, text, trouble) => {
  expect(await troubleOf(new Blob([text]))).toBe(trouble);
});

test('an old workbook is known by its first bytes', async () => {
  expect(await troubleOf(new Blob([new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1])]))).toBe('workbook');
});

test('a file above the limit is not sent', async () => {
  const file = { size: limits.uploadMaxBytes + 1, slice: () => new Blob(['HP,N']) };
  expect(await troubleOf(file)).toBe('too_big');
});
