import { waitUntil } from '@kurir/network/conformance';
import { expect, test, vi } from 'vitest';
import { acknowledgedNotifications, startLinking } from '../../test/linking-fixture.js';
import { SENDER, withRelayFixture } from '../../test/relay-fixture.js';

const LINKED = { kind: 'linked', phoneNumber: SENDER };
const EXPIRED = { kind: 'expired' };

test(
  'a pairing code is shown with the expiry that WhatsApp sets',
  withRelayFixture(async (fixture) => {
    const begun = Date.now();
    const { attempt, code, shown } = startLinking(fixture, 'pairing_code');
    expect(await code()).toMatch(/^[A-Z0-9]{8}$/);
    const endsIn = (shown[0]?.validUntil.getTime() ?? 0) - begun;
    expect(endsIn).toBeGreaterThanOrEqual(180_000);
    expect(endsIn).toBeLessThanOrEqual(180_000 + (Date.now() - begun));
    attempt.cancel();
  }),
);

test(
  'a code still links after all QRs would have expired',
  withRelayFixture(
    async (fixture) => {
      const { end, code } = startLinking(fixture, 'pairing_code');
      const text = await code();
      const usedUp = performance.now() + 6 * 50 + 250;
      await waitUntil('the QRs would have passed', () => performance.now() > usedUp);
      await fixture.phone.pair(text);
      expect(await end).toEqual(LINKED);
      await fixture.connected();
    },
    { qrLifetimeMs: 50 },
  ),
);

test(
  'a code still links 170 s after it was made, and the attempt expires at 180 s',
  withRelayFixture(async (fixture) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
    try {
      const typed = startLinking(fixture, 'pairing_code');
      const text = await typed.code();
      vi.advanceTimersByTime(170_000);
      await fixture.phone.pair(text);
      expect(await typed.end).toEqual(LINKED);
      const forgotten = startLinking(fixture, 'pairing_code');
      await forgotten.code();
      vi.advanceTimersByTime(179_000);
      forgotten.attempt.cancel();
      expect(await forgotten.end).toEqual({ kind: 'cancelled' });
      const left = startLinking(fixture, 'pairing_code');
      await left.code();
      vi.advanceTimersByTime(180_000);
      expect(await left.end).toEqual(EXPIRED);
    } finally {
      vi.useRealTimers();
    }
  }),
);

test(
  'a code that nobody types expires, and cannot link after that',
  withRelayFixture(
    async (fixture) => {
      const { end, code } = startLinking(fixture, 'pairing_code');
      const text = await code();
      expect(await end).toEqual(EXPIRED);
      await expect(fixture.phone.pair(text)).rejects.toThrow();
      expect(fixture.credentials.rowCount).toBe(0);
    },
    { pairingCodeLifetimeMs: 300 },
  ),
);

test(
  'each code that the network retires is replaced once, and only the new code links',
  withRelayFixture(async (fixture) => {
    const { end, code, shown } = startLinking(fixture, 'pairing_code');
    const retired = await code();
    fixture.relay.refreshPairingCode(SENDER, { times: 2 });
    const renewed = await code(2);
    expect(renewed).not.toBe(retired);
    expect(shown[1]?.validUntil.getTime()).toBeGreaterThanOrEqual(shown[0]?.validUntil.getTime() ?? Infinity);
    await expect(fixture.phone.pair(retired)).rejects.toThrow('code was wrong');
    await fixture.phone.pair(renewed);
    expect(await end).toEqual(LINKED);
    expect(shown).toHaveLength(2);
    expect(acknowledgedNotifications(fixture)).toBe(4);
  }),
);

test(
  'an attempt expires after its fourth code, or when the network wants a person to ask for the next',
  withRelayFixture(async (fixture) => {
    const renewed = startLinking(fixture, 'pairing_code');
    for (let count = 1; count <= 4; count += 1) {
      await renewed.code(count);
      fixture.relay.refreshPairingCode(SENDER);
    }
    expect(await renewed.end).toEqual(EXPIRED);
    expect(renewed.shown).toHaveLength(4);
    const manual = startLinking(fixture, 'pairing_code');
    await manual.code();
    fixture.relay.refreshPairingCode(SENDER, { manual: true });
    expect(await manual.end).toEqual(EXPIRED);
    expect(manual.shown).toHaveLength(1);
  }),
);

test(
  'an attempt that is cancelled during the request for the next code ends as cancelled and shows no code',
  withRelayFixture(async (fixture) => {
    const { attempt, end, code, shown } = startLinking(fixture, 'pairing_code');
    await code();
    const { position } = fixture.relay.journal;
    fixture.relay.refreshPairingCode(SENDER);
    await fixture.relay.journal.when((entry) => entry.position > position && entry.kind === 'acknowledgement');
    attempt.cancel();
    expect(await end).toEqual({ kind: 'cancelled' });
    expect(shown.length).toBeLessThanOrEqual(2);
  }),
);

test(
  'a repeated use of the code is answered once, and a use with a foreign reference is not answered',
  withRelayFixture(async (fixture) => {
    fixture.relay.faults.pairings({ kind: 'double-hello' });
    fixture.relay.faults.pairings({ kind: 'stray-hello' });
    const { end, code } = startLinking(fixture, 'pairing_code');
    await fixture.phone.pair(await code());
    expect(await end).toEqual(LINKED);
    await fixture.connected();
  }),
);

test(
  'a wrong code can be typed again',
  withRelayFixture(async (fixture) => {
    const { end, code } = startLinking(fixture, 'pairing_code');
    const text = await code();
    await expect(fixture.phone.pair('WRNGCDE1')).rejects.toThrow('code was wrong');
    await expect(fixture.phone.pair('WRNGCDE2')).rejects.toThrow('code was wrong');
    await fixture.phone.pair(text);
    expect(await end).toEqual(LINKED);
  }),
);
