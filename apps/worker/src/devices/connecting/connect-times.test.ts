import type { SessionEnd } from '@kurir/network';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConnectTimes } from './connect-times.js';

const NOW = Date.UTC(2026, 10, 21);
const minute = 60_000;
const delays = (...ms: number[]) => ({ next: () => ms.shift() ?? 0, connected: () => undefined });
const lost: SessionEnd = { reason: 'connection_lost', next: 'reconnect' };
const waits = (reason: SessionEnd['reason']): SessionEnd => ({ reason, next: 'wait', until: new Date(NOW + minute) });

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('a new device may connect at once, and after each session end when the backoff is over', () => {
  const times = new ConnectTimes(null, delays(0, 500));
  expect(times.waitMs).toBe(0);
  times.ended(lost);
  expect(times.waitMs).toBe(0);
  times.ended(lost);
  expect(times.waitMs).toBe(500);
  vi.advanceTimersByTime(500);
  expect(times.waitMs).toBe(0);
});

test('a clock that is set back or forward meanwhile changes nothing', () => {
  for (const now of [NOW - 60 * minute, NOW + 60 * minute]) {
    vi.setSystemTime(NOW);
    const times = new ConnectTimes(null, delays(500, 500));
    const inherited = new ConnectTimes(new Date(NOW + minute), delays());
    times.ended(lost);
    vi.setSystemTime(now);
    expect([times.waitMs, inherited.waitMs]).toEqual([500, minute]);
    vi.setSystemTime(NOW);
    times.ended(waits('temporarily_banned'));
    vi.setSystemTime(now);
    expect(times.waitMs).toBe(minute);
  }
});

test('the device waits until the time that the network named, or for the backoff if that is longer', () => {
  const times = new ConnectTimes(null, delays(0, 2 * minute));
  times.ended(waits('temporarily_banned'));
  expect(times.waitMs).toBe(minute);
  times.ended(waits('temporarily_banned'));
  expect(times.waitMs).toBe(2 * minute);
});

test('the next worker waits for the time that the network named to the worker before', () => {
  expect(new ConnectTimes(new Date(NOW + minute), delays()).waitMs).toBe(minute);
  expect(new ConnectTimes(new Date(NOW - minute), delays()).waitMs).toBe(0);
});

test('after an unreadable proxy a changed one is tried at once; a ban is still waited for', () => {
  const times = new ConnectTimes(null, delays());
  times.ended(waits('temporarily_banned'));
  times.proxyChanged();
  expect(times.waitMs).toBe(minute);
  times.ended(waits('proxy_unreadable'));
  times.proxyChanged();
  expect(times.waitMs).toBe(0);
  const inherited = new ConnectTimes(new Date(NOW + minute), delays());
  inherited.proxyChanged();
  expect(inherited.waitMs).toBe(minute);
});

test('the backoff knows how often the device was replaced, and a person can cut it short', () => {
  const heard: number[] = [];
  const times = new ConnectTimes(null, {
    next: (timesReplaced = 0) => {
      heard.push(timesReplaced);
      return minute;
    },
    connected: () => undefined,
  });
  times.ended({ reason: 'replaced', next: 'check-lease' }, 2);
  expect(times.waitMs).toBe(minute);
  times.reconnectAsked();
  expect(times.waitMs).toBe(0);
  times.ended(waits('temporarily_banned'));
  times.reconnectAsked();
  expect(times.waitMs).toBe(minute);
  expect(heard).toEqual([2, 0]);
});

test('a newer client is tried at once if an older one was refused; a device that waits for another reason waits on', () => {
  const times = new ConnectTimes(null, delays(minute));
  expect(times.clientChanged()).toBe(false);
  times.ended(waits('temporarily_banned'));
  expect([times.clientChanged(), times.waitMs]).toEqual([false, minute]);
  times.ended(waits('client_outdated'));
  expect([times.clientChanged(), times.waitMs]).toEqual([true, 0]);
  times.connected();
  expect(times.clientChanged()).toBe(false);
});

test('a session that the worker itself closed is replaced at once', () => {
  const times = new ConnectTimes(null, delays(minute));
  times.ended({ reason: 'closed_by_us', next: 'none' });
  expect(times.waitMs).toBe(0);
});

test('a new link does not wait as an older one had to', () => {
  const times = new ConnectTimes(new Date(NOW + minute), delays());
  times.ended(waits('credentials_unreadable'));
  times.linked();
  expect(times.waitMs).toBe(0);
  expect(times.cannotLogOut).toBe(false);
});

test('a device whose network cannot be reached cannot log out until it is connected again', () => {
  const times = new ConnectTimes(null, delays());
  const cutOff = ['credentials_unreadable', 'proxy_unreadable', 'proxy_not_allowed', 'no_driver'] as const;
  for (const reason of cutOff) {
    expect(times.cannotLogOut).toBe(false);
    times.ended(waits(reason));
    expect(times.cannotLogOut).toBe(true);
    times.connected();
  }
  times.ended(lost);
  expect(times.cannotLogOut).toBe(false);
});
