import { expect, test } from 'vitest';
import { nameOfCursor, parseCursor } from './cursor.js';

const at = new Date('2026-11-28T14:00:00.000Z');

/** Restored so often, on Postgres' third timeline. */
const generationAfter = (restores: bigint): bigint => (restores << 32n) | 3n;

test.each([0n, 1n, 18n, 19n, 1_000n, 2n ** 31n - 1n])(
  'a cursor of %d restores is read as it was written',
  (restores) => {
    const readIn = generationAfter(restores);
    for (const generation of [generationAfter(0n), readIn]) {
      const cursor = { position: { generation, xid: 2n ** 40n, seq: 2n ** 62n }, at, readIn };
      expect(parseCursor(nameOfCursor(cursor))).toEqual(cursor);
    }
  },
);

test.each(['', 'earliest', '1-2-3', '1-2-3-4-', '1-2-3-4-zzzzzzzzzzzzz', '1-2-3-4-5-6', '1-2-3-4-ZZ'])(
  '%j is no cursor',
  (text) => {
    expect(parseCursor(text)).toBeNull();
  },
);
