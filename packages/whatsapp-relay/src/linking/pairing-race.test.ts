/**
 * The companion closes at the moment when the phone uses its code. The phone must get an error and not wait forever.
 */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { Accounts } from '../devices/accounts.js';
import type { Connection } from '../wire/connection.js';
import { Pairings } from './pairings.js';

/** The test uses nothing but `send`. */
const connection = { send: () => true } as unknown as Connection;

const registration = {
  identityKey: randomBytes(32),
  registrationId: randomBytes(4),
  signedPreKey: { id: randomBytes(3), value: randomBytes(32), signature: randomBytes(64) },
};

it('a scan that races with the close is refused', async () => {
  const pairings = new Pairings();
  const account = await new Accounts().open('4915300000001');
  const candidate = pairings.begin(connection, registration);
  const secret = randomBytes(32).toString('base64');
  const scanned = pairings.scan(account, `${candidate.references[0]},noise,identity,${secret},1`, {});
  pairings.end(candidate);
  await expect(scanned).rejects.toThrow('the companion closed before it was linked');
});
