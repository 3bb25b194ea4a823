import { waitUntil } from '@kurir/network/conformance';
import { expect, test } from 'vitest';
import { startLinking } from '../../test/linking-fixture.js';
import { SENDER, withRelayFixture } from '../../test/relay-fixture.js';

test(
  'a QR whose registration the network retires is shown again with another secret, and only the new QR links',
  withRelayFixture(async (fixture) => {
    const { end, codes } = fixture.startLinking();
    await waitUntil('a code is shown', () => codes.length === 1);
    fixture.relay.refreshRegistration(codes[0] ?? '');
    await waitUntil('a new code is shown', () => codes.length === 2);
    const [retired = '', renewed = ''] = codes;
    expect(secretOf(renewed)).not.toBe(secretOf(retired));
    await expect(fixture.phone.scan(retired)).rejects.toThrow();
    await fixture.phone.scan(renewed);
    expect(await end).toEqual({ kind: 'linked', phoneNumber: SENDER });
    await fixture.connected();
  }),
);

test(
  'the QR that follows a retired one has the new secret too',
  withRelayFixture(
    async (fixture) => {
      fixture.relay.faults.pairings({ kind: 'registration-refresh' });
      const { end, codes } = fixture.startLinking();
      await waitUntil('the QR has changed once more', () => codes.length >= 3);
      const newest = codes.at(-1) ?? '';
      expect(secretOf(newest)).not.toBe(secretOf(codes[0] ?? ''));
      await fixture.phone.scan(newest);
      expect(await end).toMatchObject({ kind: 'linked' });
    },
    { qrLifetimeMs: 250 },
  ),
);

for (const [error, reason] of [
  [400, 'rejected_by_network'],
  [429, 'rate_limited_by_network'],
] as const) {
  test(
    `a pairing code that the network refuses (${error}) is never shown`,
    withRelayFixture(async (fixture) => {
      fixture.relay.faults.pairings({ kind: 'refuse-code', error });
      const { end, codes } = fixture.startLinking('pairing_code');
      expect(await end).toEqual({ kind: 'failed', reason });
      expect(codes).toEqual([]);
    }),
  );
}

for (const [error, reason] of [
  [400, 'rejected_by_network'],
  [429, 'rate_limited_by_network'],
] as const) {
  test(
    `an answer to a typed code that the network refuses (${error}) ends the attempt at once, and the next one links`,
    withRelayFixture(async (fixture) => {
      fixture.relay.faults.pairings({ kind: 'refuse-finish', error });
      const { end, code } = startLinking(fixture, 'pairing_code');
      await expect(fixture.phone.pair(await code())).rejects.toThrow('refused the answer');
      expect(await end).toEqual({ kind: 'failed', reason });
      await fixture.link();
    }),
  );
}

function secretOf(qr: string): string {
  return qr.split(',')[3] ?? '';
}
