import { expect, test } from 'vitest';
import { Fifo } from './fifo.js';

test('a fifo keeps the order of many items', () => {
  const fifo = new Fifo<number>();
  const out: (number | undefined)[] = [];
  for (let i = 0; i < 5_000; i += 1) {
    fifo.push(2 * i);
    fifo.push(2 * i + 1);
    out.push(fifo.shift());
  }
  while (fifo.size > 0) out.push(fifo.shift());
  expect(out).toEqual(Array.from({ length: 10_000 }, (_, i) => i));
  expect(fifo.shift()).toBeUndefined();
});
