import { randomBytes } from 'node:crypto';
import { MemoryCredentials, waitUntil } from '@kurir/network/conformance';
import { expect, test } from 'vitest';
import { startLinking } from '../../test/linking-fixture.js';
import { type RelayFixture, SENDER, withRelayFixture } from '../../test/relay-fixture.js';
import { encodeRow } from '../store/device-rows.js';

const NOT_AUTHENTIC = { kind: 'failed', reason: 'identity_not_authentic' };
const LINKED = { kind: 'linked', phoneNumber: SENDER };

/** A QR with another secret. A phone that scans it signs with that secret. */
function forged(qr: string): string {
  const parts = qr.split(',');
  parts[3] = randomBytes(32).toString('base64');
  return parts.join(',');
}

test(
  'an identity with a wrong HMAC is refused each time, the phone learns of it, and the next attempt links',
  withRelayFixture(async (fixture) => {
    for (let time = 1; time <= 2; time += 1) {
      const { end, code } = startLinking(fixture, 'qr');
      await expect(fixture.phone.scan(forged(await code()))).rejects.toThrow('refused the identity');
      expect(await end).toEqual(NOT_AUTHENTIC);
      expect(fixture.credentials.rowCount).toBe(0);
    }
    expect(fixture.phone.devices()).toEqual([]);
    await fixture.link();
    await fixture.connected();
  }),
);

test(
  'two wrong identities at once end the attempt once',
  withRelayFixture(async (fixture) => {
    const { end, code } = startLinking(fixture, 'qr');
    const qr = await code();
    const scans = await Promise.allSettled([fixture.phone.scan(forged(qr)), fixture.phone.scan(forged(qr))]);
    expect(scans.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await end).toEqual(NOT_AUTHENTIC);
  }),
);

test(
  'a store that rejects is reported as such, not as a wrong identity',
  withRelayFixture(async (fixture) => {
    const credentials = new MemoryCredentials();
    const { end, code } = startLinking(fixture, 'qr', credentials);
    const qr = await code();
    credentials.refuse();
    await expect(fixture.phone.scan(qr)).rejects.toThrow();
    expect(await end).toEqual({ kind: 'failed', reason: 'credentials_not_stored' });
  }),
);

async function addressing({ credentials }: RelayFixture): Promise<unknown> {
  const row = (await credentials.read('account', ['addressing'])).get('addressing');
  return row === undefined ? 'unknown' : (JSON.parse(Buffer.from(row).toString()) as unknown);
}

for (const migrated of [true, false]) {
  test(
    `the row of an account that ${migrated ? 'writes' : 'does not write'} by LID is stored with the login, by QR and by code`,
    withRelayFixture(async (fixture) => {
      fixture.phone.setMigrated(migrated);
      for (const method of ['qr', 'pairing_code'] as const) {
        const { end, code } = startLinking(fixture, method);
        await (method === 'qr' ? fixture.phone.scan(await code()) : fixture.phone.pair(await code()));
        expect(await end).toEqual(LINKED);
        expect(await addressing(fixture)).toEqual({ lidMigrated: migrated });
      }
    }),
  );
}

for (const as of ['missing', 'damaged'] as const) {
  test(
    `a device links with client-props that are ${as}, and the row of an earlier link is deleted`,
    withRelayFixture(async (fixture) => {
      await fixture.credentials.write([{ kind: 'account', id: 'addressing', value: encodeRow({ lidMigrated: true }) }]);
      fixture.relay.faults.pairings({ kind: 'client-props', as }, { from: SENDER });
      await fixture.link();
      expect(await addressing(fixture)).toBe('unknown');
      const { connections } = fixture.connect();
      await waitUntil('it is connected', () => connections.length === 1);
    }),
  );
}
