import type { SessionEnd } from '@kurir/network';
import { waitUntil } from '@kurir/network/conformance';
import type { LoginFailure, StreamEnd } from '@kurir/whatsapp-relay';
import { describe, expect, test } from 'vitest';
import { SENDER, withRelayFixture } from '../../test/relay-fixture.js';
import { closeOf, sessionEndOf } from './close-codes.js';

const NOW = Date.UTC(2026, 10, 21);
const OUTDATED: SessionEnd = { reason: 'client_outdated', next: 'wait', until: new Date(NOW + 15 * 60_000) };
const LOCKED: SessionEnd = { reason: 'banned', next: 'banned', detail: 'account_locked' };
const BANNED: SessionEnd = { reason: 'banned', next: 'banned', detail: 'account_banned' };
const UNAVAILABLE: SessionEnd = { reason: 'network_unavailable', next: 'reconnect' };
const LOST: SessionEnd = { reason: 'connection_lost', next: 'reconnect' };
const RELINK: SessionEnd = { reason: 'credentials_invalid', next: 'relink' };
const LOGGED_OUT: SessionEnd = { reason: 'logged_out', next: 'relink' };

describe('the end of a session by its close code', () => {
  const rows: readonly (readonly [code: number | undefined, connected: SessionEnd, before: SessionEnd])[] = [
    [515, { reason: 'restart_required', next: 'reconnect' }, { reason: 'restart_required', next: 'reconnect' }],
    [503, UNAVAILABLE, UNAVAILABLE],
    [500, UNAVAILABLE, UNAVAILABLE],
    [516, UNAVAILABLE, UNAVAILABLE],
    [428, LOST, UNAVAILABLE],
    [408, LOST, UNAVAILABLE],
    [440, { reason: 'replaced', next: 'check-lease' }, { reason: 'replaced', next: 'check-lease' }],
    [401, LOGGED_OUT, LOGGED_OUT],
    [403, LOCKED, LOCKED],
    [406, BANNED, BANNED],
    [405, OUTDATED, OUTDATED],
    [409, OUTDATED, OUTDATED],
    [411, RELINK, RELINK],
    [599, LOST, UNAVAILABLE],
    [undefined, LOST, UNAVAILABLE],
  ];
  for (const [code, connected, before] of rows) {
    test(`${code ?? 'no code'}: ${connected.reason}, ${connected.next}`, () => {
      expect(sessionEndOf({ code, details: {}, wasConnected: true }, NOW)).toEqual(connected);
      expect(sessionEndOf({ code, details: {}, wasConnected: false }, NOW)).toEqual(before);
    });
  }

  const bans: readonly (readonly [details: Record<string, unknown>, waitMs: number, detail: string | undefined])[] = [
    [{ code: '101', expire: '60' }, 60_000, 'wrote_to_too_many_strangers'],
    [{ code: '102', expire: '60' }, 60_000, 'blocked_by_too_many_people'],
    [{ code: '103', expire: '60' }, 60_000, 'made_too_many_groups_with_strangers'],
    [{ code: '104', expire: '86400' }, 86_400_000, 'sent_the_same_to_too_many_people'],
    [{ code: '106', expire: '60' }, 60_000, 'used_broadcast_lists_too_much'],
    [{ code: '199', expire: '60' }, 60_000, undefined],
    [{}, 3_600_000, undefined],
    [{ expire: 'soon' }, 3_600_000, undefined],
  ];
  for (const [details, waitMs, detail] of bans) {
    test(`402 ${JSON.stringify(details)}: wait ${waitMs / 1_000} s, ${detail ?? 'no reason known'}`, () => {
      const end = {
        reason: 'temporarily_banned',
        next: 'wait',
        until: new Date(NOW + waitMs),
        ...(detail && { detail }),
      };
      expect(sessionEndOf({ code: 402, details, wasConnected: true }, NOW)).toEqual(end);
    });
  }

  test('an error that is not of Baileys has no code, nor has a missing error', () => {
    for (const error of [undefined, null, 1006, 'gone', new Error('gone')]) {
      expect(closeOf(error, true)).toEqual({ code: undefined, details: {}, wasConnected: true });
    }
  });
});

describe('over the wire', () => {
  const ends: Readonly<Record<StreamEnd, SessionEnd>> = {
    'restart-required': { reason: 'restart_required', next: 'reconnect' },
    'service-unavailable': UNAVAILABLE,
    replaced: { reason: 'replaced', next: 'check-lease' },
    'device-removed': LOGGED_OUT,
    'internal-error': UNAVAILABLE,
    'not-well-formed': UNAVAILABLE,
    'forced-logout': UNAVAILABLE,
    downgraded: RELINK,
    'stream-closed': LOST,
  };
  test(
    'each end of a stream ends the session once, with its reason',
    withRelayFixture(async (fixture) => {
      await fixture.link();
      const seen: [string, readonly SessionEnd[]][] = [];
      for (const end of Object.keys(ends) as StreamEnd[]) {
        const session = await fixture.connected();
        fixture.phone.endStream(1, end);
        await waitUntil('the session ended', () => session.ends.length > 0);
        await session.session.close();
        seen.push([end, session.ends]);
      }
      expect(seen).toEqual(Object.entries(ends).map(([name, end]) => [name, [end]]));
    }),
  );

  test(
    'each refusal of a login ends the session once, before it was connected',
    withRelayFixture(async (fixture) => {
      await fixture.link();
      const failures: readonly LoginFailure[] = [
        ...([401, 403, 405, 406, 409, 411, 500, 503] as const).map((reason) => ({ reason })),
        { reason: 402, code: 101, expireSeconds: 120 },
      ];
      for (const failure of failures) {
        fixture.relay.faults.logins(failure, { from: SENDER });
        const session = fixture.connect();
        await waitUntil('the session ended', () => session.ends.length > 0);
        const details = failure.reason === 402 ? { code: '101', expire: '120' } : {};
        const { until, ...end } = sessionEndOf({ code: failure.reason, details, wasConnected: false });
        expect(session.ends).toMatchObject([end]);
        expect(Math.abs((session.ends[0]?.until?.getTime() ?? 0) - (until?.getTime() ?? 0))).toBeLessThan(5_000);
        expect(session.connections).toEqual([]);
      }
    }),
  );
});
