import { randomBytes } from 'node:crypto';
import { MemoryCredentials, waitUntil } from '@kurir/network/conformance';
import { expect, test } from 'vitest';
import { encodeRow } from './device-rows.js';
import { startLinking } from './testing/linking.js';
import { onTestBed, SENDER, type TestBed } from './testing/test-bed.js';

const NOT_AUTHENTIC = { kind: 'failed', reason: 'identity_not_authentic' };
const LINKED = { kind: 'linked', phoneNumber: SENDER };

/** A QR with another secret: whoever scans it signs with that one. */
function forged(qr: string): string {
  const parts = qr.split(',');
  parts[3] = randomBytes(32).toString('base64');
  return parts.join(',');
}

test(
  'an identity with a wrong HMAC is refused as such, each time, the phone hears of it, and the next link works',
  onTestBed(async (bed) => {
    for (let time = 1; time <= 2; time += 1) {
      const { end, code } = startLinking(bed, 'qr');
      await expect(bed.phone.scan(forged(await code()))).rejects.toThrow('refused the identity');
      expect(await end).toEqual(NOT_AUTHENTIC);
      expect(bed.credentials.rowCount).toBe(0);
    }
    expect(bed.phone.devices()).toEqual([]);
    await bed.link();
    await bed.connected();
  }),
);

test(
  'two wrong identities at once end the attempt once',
  onTestBed(async (bed) => {
    const { end, code } = startLinking(bed, 'qr');
    const qr = await code();
    const scans = await Promise.allSettled([bed.phone.scan(forged(qr)), bed.phone.scan(forged(qr))]);
    expect(scans.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await end).toEqual(NOT_AUTHENTIC);
  }),
);

test(
  'a store that refuses is said as that, not as a wrong identity',
  onTestBed(async (bed) => {
    const credentials = new MemoryCredentials();
    const { end, code } = startLinking(bed, 'qr', credentials);
    const qr = await code();
    credentials.refuse();
    await expect(bed.phone.scan(qr)).rejects.toThrow();
    expect(await end).toEqual({ kind: 'failed', reason: 'credentials_not_stored' });
  }),
);

async function addressing({ credentials }: TestBed): Promise<unknown> {
  const row = (await credentials.read('account', ['addressing'])).get('addressing');
  return row === undefined ? 'unknown' : (JSON.parse(Buffer.from(row).toString()) as unknown);
}

for (const migrated of [true, false]) {
  test(
    `that the account ${migrated ? 'writes' : 'does not write'} by LID is stored with the login, by QR and by code`,
    onTestBed(async (bed) => {
      bed.phone.setMigrated(migrated);
      for (const method of ['qr', 'pairing_code'] as const) {
        const { end, code } = startLinking(bed, method);
        await (method === 'qr' ? bed.phone.scan(await code()) : bed.phone.pair(await code()));
        expect(await end).toEqual(LINKED);
        expect(await addressing(bed)).toEqual({ lidMigrated: migrated });
      }
    }),
  );
}

for (const as of ['missing', 'damaged'] as const) {
  test(
    `client-props that are ${as} link all the same, and what an earlier link said is forgotten`,
    onTestBed(async (bed) => {
      await bed.credentials.write([{ kind: 'account', id: 'addressing', value: encodeRow({ lidMigrated: true }) }]);
      bed.relay.faults.pairings({ kind: 'client-props', as }, { from: SENDER });
      await bed.link();
      expect(await addressing(bed)).toBe('unknown');
      const { connections } = bed.connect();
      await waitUntil('it is connected', () => connections.length === 1);
    }),
  );
}
