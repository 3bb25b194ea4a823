import { describe, expect, test } from 'vitest';
import { networks, type PairingMethod, type NetworkDeclaration } from '@kurir/contracts';
import type { CredentialStore, LinkAttempt } from '../driver.js';
import type { DriverHarness } from './harness.js';
import { MemoryCredentials } from './memory-credentials.js';
import { onTestBed, type TestBed } from './test-bed.js';
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
    onTestBed(harness, async (bed) => {
      const credentials = new MemoryCredentials();
      const phone = bed.network.freshNumber();
      const { attempt, shown } = startLinking(bed, credentials);
      await waitUntil('a code is shown', () => shown.length > 0);
      credentials.refuse();
      await bed.network.scan(phone, newest(shown));
      expect(await attempt.end).toMatchObject({ kind: 'failed' });
      expect(credentials.rowCount).toBe(0);
      await waitUntil('the phone lists no device', async () => (await bed.network.linkedDevices(phone)).length === 0);
    }),
  );

  test(
    'a cancelled attempt ends as cancelled, its code is worth nothing, and cancelling again is safe',
    onTestBed(harness, async (bed) => {
      const credentials = new MemoryCredentials();
      const { attempt, shown } = startLinking(bed, credentials);
      await waitUntil('a code is shown', () => shown.length > 0);
      attempt.cancel();
      attempt.cancel();
      expect(await attempt.end).toEqual({ kind: 'cancelled' });
      // The network learns of it a moment later; a scan in between may still be taken there, never here.
      await bed.network.scan(bed.network.freshNumber(), newest(shown)).catch(() => undefined);
      expect(credentials.rowCount).toBe(0);
    }),
  );

  test(
    'an attempt can be cancelled before it has shown anything',
    onTestBed(harness, async (bed) => {
      const { attempt } = startLinking(bed, new MemoryCredentials());
      attempt.cancel();
      expect(await attempt.end).toEqual({ kind: 'cancelled' });
    }),
  );

  test(
    'an attempt that nobody scans shows a new code each time and then expires',
    onTestBed(
      harness,
      async (bed) => {
        const { attempt, shown } = startLinking(bed, new MemoryCredentials());
        expect(await attempt.end).toEqual({ kind: 'expired' });
        expect(new Set(shown.map(({ code }) => code)).size).toBe(3);
        await expect(bed.network.scan(bed.network.freshNumber(), newest(shown))).rejects.toThrow();
      },
      { codeLifetimeMs: 50, codeRounds: 3 },
    ),
  );

  test(
    'a network that is not there fails the attempt',
    onTestBed(harness, async (bed) => {
      await bed.network.stop();
      const { attempt } = startLinking(bed, new MemoryCredentials());
      expect(await attempt.end).toMatchObject({ kind: 'failed' });
    }),
  );
}

function describeGoodLinks(harness: DriverHarness): void {
  test(
    'a QR that has changed links with its newest text, and the device can connect',
    onTestBed(
      harness,
      async (bed) => {
        const credentials = new MemoryCredentials();
        const phone = bed.network.freshNumber();
        const { deviceId, attempt, shown } = startLinking(bed, credentials);
        await waitUntil('the code has changed', () => shown.length >= 2);
        expect(shown[0]?.code).not.toBe(shown[1]?.code);
        expect(shown[0]?.validUntil.getTime()).toBeLessThan(Date.now() + 60_000);
        await bed.network.scan(phone, newest(shown));
        expect(await attempt.end).toEqual({ kind: 'linked', phoneNumber: phone });
        expect(credentials.rowCount).toBeGreaterThan(0);
        await bed.connectAndWait({ deviceId, phone, credentials });
        expect(await bed.network.linkedDevices(phone)).toHaveLength(1);
      },
      { codeLifetimeMs: 150, codeRounds: 50 },
    ),
  );

  test('a pairing code that is typed into the phone links the device', async (context) => {
    await onTestBed(harness, async (bed) => {
      const { pairing }: NetworkDeclaration = networks[bed.network.name];
      if (!pairing.includes('pairing_code')) return context.skip('this network has no pairing codes');
      const credentials = new MemoryCredentials();
      const phone = bed.network.freshNumber();
      const { deviceId, attempt, shown } = startLinking(bed, credentials, 'pairing_code', phone);
      await waitUntil('a code is shown', () => shown.length > 0);
      expect(newest(shown)).toMatch(/^[A-Z0-9]{8}$/);
      await bed.network.enterPairingCode(phone, newest(shown));
      expect(await attempt.end).toEqual({ kind: 'linked', phoneNumber: phone });
      await bed.connectAndWait({ deviceId, phone, credentials });
    })();
  });

  test(
    'one phone can have two devices, which send side by side',
    onTestBed(harness, async (bed) => {
      const phone = bed.network.freshNumber();
      const recipient = bed.network.freshNumber();
      const devices = [await bed.link(phone), await bed.link(phone)];
      const sessions = await Promise.all(devices.map((device) => bed.connectAndWait(device)));
      const outcomes = await Promise.all(sessions.map(({ session }) => session.send(bed.message(recipient))));
      expect(outcomes).toEqual([{ kind: 'sent' }, { kind: 'sent' }]);
      expect((await bed.network.inbox(recipient)).map(({ from }) => from)).toEqual([phone, phone]);
      expect(sessions.flatMap(({ ends }) => ends)).toEqual([]);
    }),
  );
}

function startLinking(
  bed: TestBed,
  credentials: CredentialStore,
  method: PairingMethod = 'qr',
  phoneNumber?: string,
): Linking {
  const shown: ShownCode[] = [];
  const deviceId = bed.newDeviceId();
  const attempt = bed.network.driver.link({
    deviceId,
    epoch: bed.nextEpoch(),
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
