import { expect, test } from 'vitest';
import { PhoneBook } from './phone-book.js';

function message(n: number) {
  return { n, id: `3EB0${n}`, from: '6281300000001', text: 'Halo', receivedAt: new Date(n).toISOString() };
}

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
