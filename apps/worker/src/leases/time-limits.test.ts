import { readFileSync } from 'node:fs';
import { InvalidSettings, loadSettings } from '@kurir/config';
import { leaseTtlMs, longestTryMs } from '@kurir/database';
import { expect, test } from 'vitest';
import { fenceAfterMs, findBrokenOrder, handOverMs, renewLeasesEveryMs, stopMs, storingMs } from './time-limits.js';

const key = Buffer.alloc(32).toString('base64');

function ackTimeoutOf(value?: string): number {
  return loadSettings('worker', {
    DATABASE_URL: 'postgresql://127.0.0.1/kurir',
    REDIS_URL: 'redis://127.0.0.1',
    KURIR_MASTER_KEY: key,
    KURIR_INTERNAL_KEY: key,
    KURIR_ACK_TIMEOUT_MS: value,
  }).KURIR_ACK_TIMEOUT_MS;
}

test('a worker tries to renew twice before it closes its sessions, and closes them before its leases end', () => {
  expect(2 * renewLeasesEveryMs).toBeLessThan(fenceAfterMs);
  expect(fenceAfterMs).toBeLessThan(leaseTtlMs);
});

test('a hand-over outlasts the usual time for an answer, and a stop outlasts a hand-over', () => {
  expect(findBrokenOrder({ ackTimeoutMs: ackTimeoutOf() })).toEqual([]);
  expect(handOverMs + storingMs).toBeLessThan(stopMs);
});

test('Docker and the local programs wait until a worker has stopped', () => {
  const compose = readFileSync(new URL('../../../../docker-compose.yml', import.meta.url), 'utf8');
  const worker = compose.slice(compose.indexOf('\n  worker:'));
  const seconds = Number(/stop_grace_period: (\d+)s/.exec(worker)?.[1]);
  expect(stopMs).toBeLessThan(seconds * 1_000);
  const program = readFileSync(new URL('../../../../scripts/local/program.mjs', import.meta.url), 'utf8');
  expect(stopMs).toBeLessThan(Number(/STOP_MS = (\d+)_000/.exec(program)?.[1]) * 1_000);
});

test('a message counts as left over only after the longest try that a setting allows', () => {
  const longest = 120_000;
  expect(ackTimeoutOf(String(longest))).toBe(longest);
  expect(() => ackTimeoutOf(String(longest + 1))).toThrow(InvalidSettings);
  expect(longest).toBeLessThan(longestTryMs);
});

test('a setting that breaks the order is reported with its name and the value to set', () => {
  expect(findBrokenOrder({ ackTimeoutMs: 10_500 })).toEqual([]);
  expect(findBrokenOrder({ ackTimeoutMs: 10_501 })).toEqual([
    expect.stringMatching(/KURIR_ACK_TIMEOUT_MS is 10501.*at most 10500/),
  ]);
});
