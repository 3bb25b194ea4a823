import { proto } from 'baileys';
import { expect, test } from 'vitest';
import { bytesField } from './protobuf-field.js';

/** Fields of all wire types, as Baileys' codec writes them. */
const known = proto.HistorySync.encode({
  syncType: proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP,
  chunkOrder: 300,
  conversations: [{ id: 'x'.repeat(300) }],
  threadIdUserSecret: Buffer.from('secret'),
}).finish();

/** Field 19: tag 154 1, then the length. */
const salt = Buffer.from([0x9a, 0x01, 4, 1, 2, 3, 4]);

test('a field is found among others, at any place; the last occurrence counts', () => {
  const wanted = Buffer.from([1, 2, 3, 4]);
  expect(bytesField(Buffer.concat([known, salt]), 19)).toEqual(wanted);
  expect(bytesField(Buffer.concat([salt, known]), 19)).toEqual(wanted);
  expect(bytesField(Buffer.concat([salt, Buffer.from([0x9a, 0x01, 1, 9])]), 19)).toEqual(Buffer.from([9]));
  expect(Buffer.from(bytesField(known, 9) ?? []).toString()).toBe('secret');
});

test('fields of fixed length are skipped', () => {
  const fixed = Buffer.from([0x09, ...Buffer.alloc(8), 0x15, ...Buffer.alloc(4)]);
  expect(bytesField(Buffer.concat([fixed, salt]), 19)).toEqual(Buffer.from([1, 2, 3, 4]));
});

test('a field that is not there is null, and a message that ends too early is refused', () => {
  expect(bytesField(known, 19)).toBeNull();
  expect(bytesField(Buffer.alloc(0), 19)).toBeNull();
  for (const cut of [1, 2, 3, 6]) expect(() => bytesField(salt.subarray(0, cut), 19)).toThrow('protobuf');
  expect(() => bytesField(Buffer.alloc(12, 0xff), 19)).toThrow('without an end');
  expect(() => bytesField(Buffer.from([0x0b]), 19)).toThrow('wire type 3');
});
