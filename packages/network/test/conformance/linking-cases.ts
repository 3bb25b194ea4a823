import { type NetworkDeclaration, networks, type PairingMethod } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import type { CredentialStore, LinkAttempt } from '../../src/driver.js';
import type { DriverHarness } from './harness.js';
import { MemoryCredentials } from './memory-credentials.js';
import { type NetworkFixture, withNetworkFixture } from './network-fixture.js';
import { waitUntil } from './wait-until.js';

type ShownCode = { readonly code: string; readonly validUntil: Date };
type Linking = { readonly deviceId: string; readonly attempt: LinkAttempt; readonly shown: ShownCode[] };

export function describeLinking(harness: DriverHarness): void {
  describe('linking', () => {
    describeFailedLinks(harness);
    describeGoodLinks(harness);
  });
}

function describeFailedLinks(harness: DriverHarness): void {
  test(
    'a store that refuses the credentials fails the attempt, and neither side keeps half a link',
    withNetworkFixture(harness, async (fixture) => {
      const credentials = new MemoryCredentials();
      const phone = fixture.network.freshNumber();
      const { attempt, shown } = startLinking(fixture, credentials);
      await waitUntil('a code is shown', () => shown.length > 0);
      credentials.refuse();
      await fixture.network.scan(phone, newest(shown));
      expect(await attempt.end).toMatchObject({ kind: 'failed' });
      expect(credentials.rowCount).toBe(0);
      await waitUntil(
        'the phone lists no device',
        async () => (await fixture.network.linkedDevices(phone)).length === 0,
      );
    }),
  );

  test(
    'a cancelled attempt ends as cancelled, its code links nothing, and it can be cancelled twice',
    withNetworkFixture(harness, async (fixture) => {
      const credentials = new MemoryCredentials();
      const { attempt, shown } = startLinking(fixture, credentials);
      await waitUntil('a code is shown', () => shown.length > 0);
      attempt.cancel();
      attempt.cancel();
      expect(await attempt.end).toEqual({ kind: 'cancelled' });
      // The network learns of it a moment later. It may still accept a scan in between, but the driver does not.
      await fixture.network.scan(fixture.network.freshNumber(), newest(shown)).catch(() => undefined);
      expect(credentials.rowCount).toBe(0);
    }),
  );

  test(
    'an attempt can be cancelled before it has shown anything',
    withNetworkFixture(harness, async (fixture) => {
      const { attempt } = startLinking(fixture, new MemoryCredentials());
      attempt.cancel();
      expect(await attempt.end).toEqual({ kind: 'cancelled' });
    }),
  );

  test(
    'an attempt that nobody scans shows a new code each time and then expires',
    withNetworkFixture(
      harness,
      async (fixture) => {
        const { attempt, shown } = startLinking(fixture, new MemoryCredentials());
        expect(await attempt.end).toEqual({ kind: 'expired' });
        expect(new Set(shown.map(({ code }) => code)).size).toBe(3);
        await expect(fixture.network.scan(fixture.network.freshNumber(), newest(shown))).rejects.toThrow();
      },
      { codeLifetimeMs: 50, codeRounds: 3 },
    ),
  );

  test(
    'a network that is not there fails the attempt',
    withNetworkFixture(harness, async (fixture) => {
      await fixture.network.stop();
      const { attempt } = startLinking(fixture, new MemoryCredentials());
      expect(await attempt.end).toMatchObject({ kind: 'failed' });
    }),
  );
}

function describeGoodLinks(harness: DriverHarness): void {
  test(
    'a QR that has changed links with its newest text, and the device can connect',
    withNetworkFixture(
      harness,
      async (fixture) => {
        const credentials = new MemoryCredentials();
        const phone = fixture.network.freshNumber();
        const { deviceId, attempt, shown } = startLinking(fixture, credentials);
        await waitUntil('the code has changed', () => shown.length >= 2);
        expect(shown[0]?.code).not.toBe(shown[1]?.code);
        expect(shown[0]?.validUntil.getTime()).toBeLessThan(Date.now() + 60_000);
        await fixture.network.scan(phone, newest(shown));
        expect(await attempt.end).toEqual({ kind: 'linked', phoneNumber: phone });
        expect(credentials.rowCount).toBeGreaterThan(0);
        await fixture.connectAndWait({ deviceId, phone, credentials });
        expect(await fixture.network.linkedDevices(phone)).toHaveLength(1);
      },
      { codeLifetimeMs: 150, codeRounds: 50 },
    ),
  );

  test('a pairing code that is typed into the phone links the device', async (context) => {
    await withNetworkFixture(harness, async (fixture) => {
      const { pairing }: NetworkDeclaration = networks[fixture.network.name];
      if (!pairing.includes('pairing_code')) return context.skip('this network has no pairing codes');
      const credentials = new MemoryCredentials();
      const phone = fixture.network.freshNumber();
      const { deviceId, attempt, shown } = startLinking(fixture, credentials, 'pairing_code', phone);
      await waitUntil('a code is shown', () => shown.length > 0);
      expect(newest(shown)).toMatch(/^[A-Z0-9]{8}$/);
      await fixture.network.enterPairingCode(phone, newest(shown));
      expect(await attempt.end).toEqual({ kind: 'linked', phoneNumber: phone });
      await fixture.connectAndWait({ deviceId, phone, credentials });
    })();
  });

  test(
    'one phone can have two devices, which send side by side',
    withNetworkFixture(harness, async (fixture) => {
      const phone = fixture.network.freshNumber();
      const recipient = fixture.network.freshNumber();
      const devices = [await fixture.link(phone), await fixture.link(phone)];
      const sessions = await Promise.all(devices.map((device) => fixture.connectAndWait(device)));
      const outcomes = await Promise.all(sessions.map(({ session }) => session.send(fixture.message(recipient))));
      expect(outcomes).toEqual([{ kind: 'sent' }, { kind: 'sent' }]);
      expect((await fixture.network.inbox(recipient)).map(({ from }) => from)).toEqual([phone, phone]);
      expect(sessions.flatMap(({ ends }) => ends)).toEqual([]);
    }),
  );
}

function startLinking(
  fixture: NetworkFixture,
  credentials: CredentialStore,
  method: PairingMethod = 'qr',
  phoneNumber?: string,
): Linking {
  const shown: ShownCode[] = [];
  const deviceId = fixture.newDeviceId();
  const attempt = fixture.network.driver.link({
    deviceId,
    epoch: fixture.nextEpoch(),
    credentials,
    method,
    ...(phoneNumber !== undefined && { phoneNumber }),
    code: (code, validUntil) => void shown.push({ code, validUntil }),
  });
  return { deviceId, attempt, shown };
}

function newest(shown: readonly ShownCode[]): string {
  return shown.at(-1)?.code ?? '';
}
