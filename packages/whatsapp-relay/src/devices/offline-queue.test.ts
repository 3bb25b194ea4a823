import { expect, it } from 'vitest';
import { OfflineQueue } from './offline-queue.js';
import { type Stanza, stanza } from '../wire/stanza.js';

const message = (id: string) => stanza('message', { id, from: '200000000000002@lid' });

function queueOf(...ids: readonly string[]): { queue: OfflineQueue; sent: string[]; send: (kept: Stanza) => void } {
  const queue = new OfflineQueue();
  for (const id of ids) queue.add(message(id));
  const sent: string[] = [];
  return { queue, sent, send: ({ attrs }) => void sent.push(attrs['id'] ?? '') };
}

it('sends the whole queue in the order of arrival', () => {
  const { queue, sent, send } = queueOf('A', 'B');
  expect(queue.open(send)).toBe(true);
  expect(sent).toEqual(['A', 'B']);
});

it('sends rejected messages first, and the rest after the device acknowledged them', () => {
  const { queue, sent, send } = queueOf('A', 'B', 'C', 'D');
  queue.reject('B');
  queue.reject('D');
  expect(queue.open(send)).toBe(false);
  expect(sent).toEqual(['B']);
  expect(queue.settle('message', 'B', {}, send)).toBe(false);
  expect(sent).toEqual(['B', 'D']);
  queue.reject('D');
  expect(sent).toEqual(['B', 'D']);
  expect(queue.settle('message', 'D', {}, send)).toBe(true);
  expect(sent).toEqual(['B', 'D', 'A', 'C']);
});

it('sends withheld stanzas on the next connection', () => {
  const { queue, sent, send } = queueOf('A', 'B');
  queue.reject('A');
  queue.open(send);
  queue.open(send);
  expect(sent).toEqual(['A', 'A']);
  const later = new OfflineQueue(queue.remember());
  expect(later.open(send)).toBe(false);
  expect(later.length).toBe(2);
});

it('tells receipts with the same id apart', () => {
  const { queue, send } = queueOf();
  queue.add(stanza('receipt', { id: 'A', from: '1@lid' }));
  queue.add(stanza('receipt', { id: 'A', from: '1@lid', type: 'read' }));
  queue.settle('receipt', 'A', { from: '1@lid', type: 'read' }, send);
  expect(queue.length).toBe(1);
});

it('ignores an error for a message that it does not hold', () => {
  const { queue, sent, send } = queueOf('A');
  queue.reject('elsewhere');
  expect(queue.open(send)).toBe(true);
  expect(sent).toEqual(['A']);
});
