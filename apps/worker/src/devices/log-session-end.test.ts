import { deviceReasons } from '@kurir/contracts';
import { createLogger } from '@kurir/logging';
import type { SessionEnd } from '@kurir/network';
import { expect, test, vi } from 'vitest';
import { logSessionEnd } from './log-session-end.js';

function linesOf(end: SessionEnd): unknown[][] {
  const log = createLogger({ name: 'test', level: 'silent', pretty: false });
  const info = vi.spyOn(log, 'info');
  const error = vi.spyOn(log, 'error');
  logSessionEnd(log, end);
  return [...info.mock.calls.map((line) => ['info', ...line]), ...error.mock.calls.map((line) => ['error', ...line])];
}

test('the end of a session that connects again by itself is one line', () => {
  expect(linesOf({ reason: 'connection_lost', next: 'reconnect' })).toEqual([
    ['info', { reason: 'connection_lost', next: 'reconnect' }, 'session ended'],
  ]);
  expect(linesOf({ reason: 'temporarily_banned', next: 'wait' })).toEqual([
    ['info', { reason: 'temporarily_banned', next: 'wait' }, 'session ended'],
  ]);
});

test('the end of a session that waits for a person is one error line without a stack, which says what to do', () => {
  expect(linesOf({ reason: 'client_outdated', next: 'wait', detail: '2.3000.7' })).toMatchObject([
    ['error', { instruction: expect.stringContaining('refuses version 2.3000.7') }, expect.any(String)],
  ]);
  for (const reason of ['client_outdated', 'credentials_unreadable', 'proxy_unreadable', 'no_driver'] as const)
    expect(linesOf({ reason, next: 'wait' })).toEqual([
      [
        'error',
        { reason, next: 'wait', instruction: deviceReasons[reason] },
        'session ended, device waits for a person',
      ],
    ]);
});
