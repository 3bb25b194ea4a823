import { expect, test } from 'vitest';
import { writeFigures } from './write-figures.js';

test('the figures are the writes for one message', () => {
  const writes = { walBytes: 150_000, inserted: 300, updated: 250, hot: 200, deleted: 0 };
  expect(writeFigures('sent', writes, 100).map(({ name, value, unit }) => [name, value, unit])).toEqual([
    ['sent: WAL', 1_500, 'bytes'],
    ['sent: inserted', 3, 'rows'],
    ['sent: updated', 2.5, 'rows'],
    ['sent: updated, no index touched', 2, 'rows'],
    ['sent: deleted', 0, 'rows'],
  ]);
});
