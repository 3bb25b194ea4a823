import { waitUntil } from '@kurir/network/conformance';
import { expect, test } from 'vitest';
import { acknowledgedNotifications, startLinking } from '../../test/linking-fixture.js';
import { withRelayFixture } from '../../test/relay-fixture.js';

const PASSKEY_REQUIRED = { kind: 'failed', reason: 'passkey_required' };
const NEEDS_PASSKEY = 'only with its passkey';

for (const as of ['passkey_prologue_request', 'crsc_continuation'] as const) {
  test(
    `linking by QR fails when the network asks for the passkey (${as}), and the request is acknowledged`,
    withRelayFixture(async (fixture) => {
      fixture.phone.requirePasskey(true, { as });
      const { end, code } = startLinking(fixture, 'qr');
      await expect(fixture.phone.scan(await code())).rejects.toThrow(NEEDS_PASSKEY);
      expect(await end).toEqual(PASSKEY_REQUIRED);
      await waitUntil('it is acknowledged', () => acknowledgedNotifications(fixture) === 1);
      expect(fixture.credentials.rowCount).toBe(0);
    }),
  );
}

test(
  'linking by code fails the same way, whether the network asks for the passkey after the keys or instead of them',
  withRelayFixture(async (fixture) => {
    for (const handoff of [false, true]) {
      fixture.phone.requirePasskey(true, { handoff });
      const { end, code } = startLinking(fixture, 'pairing_code');
      await expect(fixture.phone.pair(await code())).rejects.toThrow(NEEDS_PASSKEY);
      expect(await end).toEqual(PASSKEY_REQUIRED);
    }
    expect(fixture.credentials.rowCount).toBe(0);
  }),
);

test(
  'a passkey request that arrives twice ends the attempt once',
  withRelayFixture(async (fixture) => {
    fixture.phone.requirePasskey(true, { times: 2 });
    const { end, code, attempt } = startLinking(fixture, 'qr');
    await expect(fixture.phone.scan(await code())).rejects.toThrow(NEEDS_PASSKEY);
    expect(await end).toEqual(PASSKEY_REQUIRED);
    attempt.cancel();
    expect(await attempt.end).toEqual(PASSKEY_REQUIRED);
  }),
);

test(
  'an attempt that was cancelled before the passkey request stays cancelled, and without a request the phone links',
  withRelayFixture(async (fixture) => {
    fixture.phone.requirePasskey(true);
    const { end, code, attempt } = startLinking(fixture, 'qr');
    const qr = await code();
    attempt.cancel();
    await fixture.phone.scan(qr).catch(() => undefined);
    expect(await end).toEqual({ kind: 'cancelled' });
    fixture.phone.requirePasskey(false);
    await fixture.link();
    await fixture.connected();
  }),
);
