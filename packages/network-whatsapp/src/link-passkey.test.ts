import { waitUntil } from '@kurir/network/conformance';
import { expect, test } from 'vitest';
import { acknowledgedNotifications, startLinking } from './testing/linking.js';
import { onTestBed } from './testing/test-bed.js';

const PASSKEY_REQUIRED = { kind: 'failed', reason: 'passkey_required' };
const NEEDS_PASSKEY = 'only with its passkey';

for (const as of ['passkey_prologue_request', 'crsc_continuation'] as const) {
  test(
    `an account that is linked only with its passkey says so by QR (${as}), and the network gets its acknowledgement`,
    onTestBed(async (bed) => {
      bed.phone.requirePasskey(true, { as });
      const { end, code } = startLinking(bed, 'qr');
      await expect(bed.phone.scan(await code())).rejects.toThrow(NEEDS_PASSKEY);
      expect(await end).toEqual(PASSKEY_REQUIRED);
      await waitUntil('it is acknowledged', () => acknowledgedNotifications(bed) === 1);
      expect(bed.credentials.rowCount).toBe(0);
    }),
  );
}

test(
  'a typed code ends the same way, whether the passkey is asked for after the keys or instead of them',
  onTestBed(async (bed) => {
    for (const handoff of [false, true]) {
      bed.phone.requirePasskey(true, { handoff });
      const { end, code } = startLinking(bed, 'pairing_code');
      await expect(bed.phone.pair(await code())).rejects.toThrow(NEEDS_PASSKEY);
      expect(await end).toEqual(PASSKEY_REQUIRED);
    }
    expect(bed.credentials.rowCount).toBe(0);
  }),
);

test(
  'a passkey that is asked for twice ends the attempt once',
  onTestBed(async (bed) => {
    bed.phone.requirePasskey(true, { times: 2 });
    const { end, code, attempt } = startLinking(bed, 'qr');
    await expect(bed.phone.scan(await code())).rejects.toThrow(NEEDS_PASSKEY);
    expect(await end).toEqual(PASSKEY_REQUIRED);
    attempt.cancel();
    expect(await attempt.end).toEqual(PASSKEY_REQUIRED);
  }),
);

test(
  'an attempt that was cancelled before the passkey is asked for stays cancelled, and without the demand the phone links',
  onTestBed(async (bed) => {
    bed.phone.requirePasskey(true);
    const { end, code, attempt } = startLinking(bed, 'qr');
    const qr = await code();
    attempt.cancel();
    await bed.phone.scan(qr).catch(() => undefined);
    expect(await end).toEqual({ kind: 'cancelled' });
    bed.phone.requirePasskey(false);
    await bed.link();
    await bed.connected();
  }),
);
