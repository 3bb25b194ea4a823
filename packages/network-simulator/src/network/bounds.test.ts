import { expect, test } from 'vitest';
import { Fifo } from './fifo.js';
import { Outbox } from './outbox.js';
import { PhoneBook } from './phone-book.js';

function receipt(n: number) {
  return { frame: { t: 'receipt', n, id: `3EB0${n}`, status: 'delivered' }, times: 1 } as const;
}

function message(n: number) {
  return { n, id: `3EB0${n}`, from: '6281300000001', text: 'Halo', receivedAt: new Date(n).toISOString() };
}

function drain(outbox: Outbox): number[] {
  const numbers: number[] = [];
  for (let event = outbox.next(); event; event = outbox.next()) numbers.push(event.frame.n);
  return numbers;
}

test('an outbox has at most 1,000 events on the way and goes on when they are settled', () => {
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

test('an outbox that nobody empties gives up its oldest events beyond 100,000', () => {
  const outbox = new Outbox();
  for (let n = 0; n <= 100_000; n += 1) outbox.add(receipt(n));
  expect(drain(outbox)[0]).toBe(10_000);
});

test('an inbox keeps its newest 10,000 messages; an id that left it is still known as a repeat', () => {
  const phones = new PhoneBook();
  for (let n = 1; n <= 20_000; n += 1) phones.deliver('6281300000009', message(n));
  const inbox = phones.inbox('6281300000009');
  expect([inbox.length, inbox[0]?.n, inbox.at(-1)?.n]).toEqual([10_000, 10_001, 20_000]);
  phones.deliver('6281300000009', { ...message(1), n: 20_001 });
  expect(phones.inbox('6281300000009').at(-1)?.n).toBe(20_000);
});

test('ids and messages older than two generations are forgotten, and phones with nothing left', () => {
  const phones = new PhoneBook(10);
  phones.deliver('6281300000008', message(1));
  for (let n = 2; n <= 20; n += 1) phones.deliver('6281300000009', message(n));
  expect(phones.has('6281300000001', '6281300000008', '3EB01')).toBe(false);
  expect(phones.has('6281300000001', '6281300000009', '3EB011')).toBe(true);
  expect(phones.list(10).map(({ number }) => number)).toEqual(['6281300000009']);
  expect(phones.inbox('6281300000009')[0]?.n).toBe(11);
});

test('a fifo keeps its order when much goes in and out', () => {
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
