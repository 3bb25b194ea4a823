import { expect, test } from 'vitest';
import { createSeen, type JournalEntry } from './frames.js';

const at = (ms: number) => new Date(ms).toISOString();
const collect = (entries: readonly JournalEntry[]) => {
  const { seen, add } = createSeen();
  for (const entry of entries) add(entry);
  return seen;
};

test('only the first frame to a recipient counts, not a repeat after a lost answer', () => {
  const { toRecipient } = collect([
    { kind: 'message', at: at(1_005), device_id: 'dev_1', recipient: '628161' },
    { kind: 'message', at: at(9_000), device_id: 'dev_1', recipient: '628161' },
  ]);
  expect(toRecipient).toEqual(new Map([['628161', 1_005]]));
});

test('a frame that the network swallowed or refused does not count as on the wire', () => {
  const { toRecipient, senders, swallowed } = collect([
    { kind: 'fault', at: at(1), fault: 'swallow', device_id: 'dev_1' },
    { kind: 'fault', at: at(2), fault: 'ack_lost', device_id: 'dev_2' },
    { kind: 'refused', at: at(3), device_id: 'dev_2', recipient: '628161' },
    { kind: 'settled', at: at(4), device_id: 'dev_2' },
  ]);
  expect(toRecipient.size).toBe(0);
  expect(senders.size).toBe(0);
  expect([...swallowed]).toEqual(['dev_1']);
});
