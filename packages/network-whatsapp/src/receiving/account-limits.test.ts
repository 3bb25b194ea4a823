import { EventEmitter } from 'node:events';
import type { AccountLimits } from '@kurir/network';
import { waitUntil } from '@kurir/network/conformance';
import type { WASocket } from 'baileys';
import { expect, test, vi } from 'vitest';
import { withRelayFixture } from '../../test/relay-fixture.js';
import { AccountLimitsWatch } from './account-limits.js';

/** The network sends times in whole seconds. */
const inAnHour = () => new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000);

test(
  'an unrestricted account is reported once after connecting',
  withRelayFixture(async (fixture) => {
    const { limits } = await fixture.online();
    await waitUntil('the limits are told', () => limits.length > 0);
    expect(limits).toEqual([{ newContacts: 'allowed', newChatQuota: null }]);
  }),
);

test(
  'a restriction is reported when it is set and when it is lifted, and 463 waits until its end',
  withRelayFixture(async (fixture) => {
    const { session, limits } = await fixture.online();
    await waitUntil('the limits are told', () => limits.length === 1);
    const endsAt = inAnHour();
    fixture.phone.setReachoutTimelock({ endsAt, enforcementType: 'WEB_COMPANION_ONLY' });
    await waitUntil('the restriction is told', () => limits.length === 2);
    expect(limits[1]?.newContacts).toEqual({ blockedUntil: endsAt, reason: 'web_companion_only' });

    const stranger = await fixture.person();
    const refused = await session.send(fixture.message(stranger.number));
    expect(refused).toMatchObject({ kind: 'not-sent', permanent: false, reason: 'new_contacts_restricted' });
    const retryAfterMs = 'retryAfterMs' in refused ? refused.retryAfterMs : 0;
    expect(Math.abs(Date.now() + retryAfterMs - endsAt.getTime())).toBeLessThan(30_000);

    fixture.phone.setReachoutTimelock(null);
    await waitUntil('its end is told', () => limits.length === 3);
    expect(limits[2]?.newContacts).toBe('allowed');
    expect(await session.send(fixture.message(stranger.number))).toEqual({ kind: 'sent' });
  }),
);

test(
  'a restriction that nobody announced is learned from the first refusal, which waits until its end',
  withRelayFixture(async (fixture) => {
    const { session, limits } = await fixture.online();
    await waitUntil('the limits are told', () => limits.length === 1);
    const endsAt = inAnHour();
    const soon = new Date(endsAt.getTime() - 3_000_000);
    fixture.phone.setReachoutTimelock({ endsAt: soon, enforcementType: 'DEFAULT' }, { told: false });
    const refused = await session.send(fixture.message((await fixture.person()).number));
    expect(limits.at(-1)?.newContacts).toMatchObject({ blockedUntil: soon });
    const retryAfterMs = 'retryAfterMs' in refused ? refused.retryAfterMs : 0;
    expect(Math.abs(Date.now() + retryAfterMs - soon.getTime())).toBeLessThan(30_000);
  }),
);

test(
  'an earlier restriction and an earlier quota are reported after connecting',
  withRelayFixture(async (fixture) => {
    await fixture.link();
    const endsAt = inAnHour();
    fixture.phone.setReachoutTimelock({ endsAt, enforcementType: 'BIZ_QUALITY' });
    fixture.phone.setNewChatCap({ totalQuota: 100, usedQuota: 40, status: 'NONE', cycleEndsAt: endsAt });
    const { limits } = await fixture.connected();
    await waitUntil('the limits are told', () => limits.length > 0);
    await waitUntil('with the quota', () => limits.at(-1)?.newChatQuota !== null);
    expect(limits.at(-1)).toEqual({
      newContacts: { blockedUntil: endsAt, reason: 'biz_quality' },
      newChatQuota: { used: 40, total: 100, resetsAt: endsAt },
    });
  }),
);

test(
  'a quota that is used up blocks new contacts until it starts again',
  withRelayFixture(async (fixture) => {
    const { limits } = await fixture.online();
    await waitUntil('the limits are told', () => limits.length === 1);
    const cycleEndsAt = inAnHour();
    fixture.phone.setNewChatCap({ totalQuota: 100, usedQuota: 100, status: 'CAPPED', cycleEndsAt });
    await waitUntil('the cap is told', () => limits.length === 2);
    expect(limits[1]).toEqual({
      newContacts: { blockedUntil: cycleEndsAt, reason: 'new_chat_quota_used_up' },
      newChatQuota: { used: 100, total: 100, resetsAt: cycleEndsAt },
      warning: { kind: 'second', until: cycleEndsAt },
    });
  }),
);

test.each([
  ['FIRST_WARNING', 'first'],
  ['SECOND_WARNING', 'second'],
] as const)('a %s is reported with its end, and again when it is over', (status, kind) =>
  withRelayFixture(async (fixture) => {
    const { limits } = await fixture.online();
    await waitUntil('the limits are told', () => limits.length === 1);
    const cycleEndsAt = inAnHour();
    fixture.phone.setNewChatCap({ totalQuota: 100, usedQuota: 80, status, cycleEndsAt });
    await waitUntil('the warning is told', () => limits.length === 2);
    expect(limits[1]).toMatchObject({ newContacts: 'allowed', warning: { kind, until: cycleEndsAt } });
    fixture.phone.setNewChatCap({ totalQuota: 100, usedQuota: 0, status: 'NONE', cycleEndsAt });
    await waitUntil('its end is told', () => limits.length === 3);
    expect(limits[2]).not.toHaveProperty('warning');
  })(),
);

/** A socket with the two queries of `AccountLimitsWatch`. */
class FakeSocket {
  readonly ev = new EventEmitter();
  asked = 0;
  status = 'SECOND_WARNING';
  async fetchNewChatMessageCap() {
    this.asked++;
    return { capping_status: this.status };
  }
  async fetchAccountReachoutTimelock() {
    this.ev.emit('connection.update', { reachoutTimeLock: { isActive: false } });
  }
}

test('during a warning the driver asks each hour and reports a warning without an end again; after the close it asks nothing', async () => {
  vi.useFakeTimers();
  try {
    const socket = new FakeSocket();
    const told: AccountLimits[] = [];
    // The watch uses only these parts of a socket.
    const watch = new AccountLimitsWatch(socket as unknown as WASocket, (limits) => told.push(limits));
    await watch.ask();
    const first = told.length;
    expect(told.at(-1)).toMatchObject({ warning: { kind: 'second', until: null } });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect([socket.asked, told.length > first]).toEqual([2, true]);
    socket.status = 'NONE';
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(told.at(-1)).not.toHaveProperty('warning');
    await vi.advanceTimersByTimeAsync(10 * 3_600_000);
    expect(socket.asked).toBe(3);
    socket.status = 'FIRST_WARNING';
    await watch.ask();
    socket.ev.emit('connection.update', { connection: 'close' });
    await vi.advanceTimersByTimeAsync(10 * 3_600_000);
    expect(socket.asked).toBe(4);
  } finally {
    vi.useRealTimers();
  }
});

test(
  'limits that the network does not tell are not reported',
  withRelayFixture(
    async (fixture) => {
      await fixture.link();
      fixture.relay.faults.queries('graph-query', { kind: 'silence' }, { times: 2 });
      const { limits, ends } = await fixture.connected();
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect({ limits, ends }).toEqual({ limits: [], ends: [] });
    },
    { queryTimeoutMs: 200 },
  ),
);
