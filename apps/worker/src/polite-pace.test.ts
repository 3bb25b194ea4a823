import { createLogger } from '@kurir/logging';
import type { Session } from '@kurir/network';
import { expect, test } from 'vitest';
import { createPolitePace, type PacePreference } from './polite-pace.js';

const log = createLogger({ name: 'test', level: 'silent', pretty: false });
const [otp, normal] = [0, 1];
/** Timers may fire a little early. */
const slackMs = 5;

const paceOf = (preference: PacePreference, random = () => 1) => createPolitePace(() => preference, log, random);

async function msOf(work: Promise<void>): Promise<number> {
  const before = performance.now();
  await work;
  return performance.now() - before;
}

const typingOf = (typing: Session['typing']): Session => ({
  send: async () => ({ kind: 'sent' }),
  typing,
  logout: async () => undefined,
  close: async () => undefined,
});

test('a turn waits for its random part of the jitter; an otp adds none of its own', async () => {
  const jitter = { paceJitterMs: 200, typingMs: 0 };
  expect(paceOf(jitter).hasJitter()).toBe(true);
  expect(paceOf({ ...jitter, paceJitterMs: 0 }).hasJitter()).toBe(false);
  expect(await msOf(paceOf(jitter).beforeTurn(normal))).toBeGreaterThanOrEqual(200 - slackMs);
  expect(await msOf(paceOf(jitter, () => 0.5).beforeTurn(normal))).toBeGreaterThanOrEqual(100 - slackMs);
  expect(await msOf(paceOf({ ...jitter, paceJitterMs: 60_000 }).beforeTurn(otp))).toBeLessThan(10_000);
});

test('typing that the network does not take keeps no text back', async () => {
  const session = typingOf(() => Promise.reject(new Error('not connected')));
  expect(await msOf(paceOf({ paceJitterMs: 0, typingMs: 60_000 }).beforeText(session, '62811'))).toBeLessThan(10_000);
});

test('without a wish for typing none is sent', async () => {
  const signals: string[] = [];
  const session = typingOf(async (_recipient, action) => void signals.push(action));
  await paceOf({ paceJitterMs: 0, typingMs: 0 }).beforeText(session, '62811');
  expect(signals).toEqual([]);
});
