import { createLogger } from '@kurir/logging';
import type { Session } from '@kurir/network';
import { expect, test } from 'vitest';
import { createTypingBeforeText } from './typing-before-text.js';

const log = createLogger({ name: 'test', level: 'silent', pretty: false });
const typingFor = (ms: number) => createTypingBeforeText(() => ms, log);

const sessionOf = (typing: Session['typing']): Session => ({
  send: async () => ({ kind: 'sent' }),
  typing,
  logout: async () => undefined,
  close: async () => undefined,
});

test("the recipient sees typing for the device's time", async () => {
  const signals: string[] = [];
  const session = sessionOf(async (recipient, action) => void signals.push(`${recipient} ${action}`));
  const begunAt = performance.now();
  await typingFor(100).before(session, '62811');
  // A timer may fire a little early.
  expect(performance.now() - begunAt).toBeGreaterThanOrEqual(95);
  expect(signals).toEqual(['62811 start']);
});

test('typing that the network refuses delays no text', async () => {
  const session = sessionOf(() => Promise.reject(new Error('not connected')));
  const begunAt = performance.now();
  await typingFor(60_000).before(session, '62811');
  expect(performance.now() - begunAt).toBeLessThan(10_000);
});

test('a device without a typing time shows no typing', async () => {
  const signals: string[] = [];
  await typingFor(0).before(
    sessionOf(async (_recipient, action) => void signals.push(action)),
    '62811',
  );
  expect(signals).toEqual([]);
});
