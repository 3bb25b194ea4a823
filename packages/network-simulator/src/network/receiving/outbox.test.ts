import { expect, test } from 'vitest';
import { Outbox } from './outbox.js';

function receipt(n: number) {
  return { frame: { t: 'receipt', n, id: `3EB0${n}`, status: 'delivered' }, times: 1 } as const;
}

function drain(outbox: Outbox): number[] {
  const numbers: number[] = [];
  for (let event = outbox.next(); event; event = outbox.next()) numbers.push(event.frame.n);
  return numbers;
}

test('an outbox has at most 1,000 events in flight and continues when they are settled', () => {
  const outbox = new Outbox();
  for (let n = 0; n < 1_500; n += 1) outbox.add(receipt(n));
  expect(drain(outbox)).toHaveLength(1_000);
  expect([0, 1, 1, 9_999].map((n) => outbox.settle(n))).toEqual([true, true, false, false]);
  expect(drain(outbox)).toEqual([1_000, 1_001]);
});

test('an outbox starts again with everything unsettled, oldest first', () => {
  const outbox = new Outbox();
  for (let n = 0; n < 3; n += 1) outbox.add(receipt(n));
  drain(outbox);
  outbox.settle(1);
  outbox.rewind();
  expect(drain(outbox)).toEqual([0, 2]);
});

test('an outbox that nobody empties drops its oldest events beyond 100,000', () => {
  const outbox = new Outbox();
  for (let n = 0; n <= 100_000; n += 1) outbox.add(receipt(n));
  expect(drain(outbox)[0]).toBe(10_000);
});
