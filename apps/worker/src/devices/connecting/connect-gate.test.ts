import { expect, test } from 'vitest';
import { createConnectGate } from './connect-gate.js';

test('the gate lets so many in at a time, and the others in their order', async () => {
  const gate = createConnectGate(2);
  const inside: string[] = [];
  const leaves = new Map<string, () => void>();
  for (const name of ['a', 'b', 'c', 'd'])
    void gate.enter().then((leave) => {
      inside.push(name);
      leaves.set(name, leave);
    });
  await new Promise(setImmediate);
  expect(inside).toEqual(['a', 'b']);
  leaves.get('b')?.();
  await new Promise(setImmediate);
  expect(inside).toEqual(['a', 'b', 'c']);
  leaves.get('a')?.();
  await new Promise(setImmediate);
  expect(inside).toEqual(['a', 'b', 'c', 'd']);
});

test('leaving twice lets only one more in', async () => {
  const gate = createConnectGate(1);
  const leave = await gate.enter();
  let entered = 0;
  for (let i = 0; i < 3; i++) void gate.enter().then(() => entered++);
  leave();
  leave();
  await new Promise(setImmediate);
  expect(entered).toBe(1);
});
