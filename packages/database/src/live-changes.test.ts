import { newId } from '@kurir/contracts';
import { expect, test } from 'vitest';
import { readChangedMessages, readLivePosition } from './live-changes.js';
import { useBench } from './testing/bench.js';

const bench = useBench();

test('a position is read without looking at the messages, however many they are', async () => {
  const client = await bench().database.pool.connect();
  try {
    await client.query('BEGIN; LOCK TABLE messages IN ACCESS EXCLUSIVE MODE');
    const { seq } = await readLivePosition(bench().database);
    expect(seq).toBeTypeOf('bigint');
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

test('a message accepted after a position is found from there, the very first one too', async () => {
  const tenant = await bench().tenant();
  await bench().query('ALTER SEQUENCE messages_seq_seq RESTART');
  const before = await readLivePosition(bench().database);
  const [accepted] = await bench().accept(tenant);
  const changed = await readChangedMessages(bench().database, [tenant.accountId], before, 10);
  expect(changed.map(({ message }) => message.id)).toEqual([accepted?.messageId]);
  expect(await readChangedMessages(bench().database, [newId('acc')], before, 10)).toEqual([]);
});
