/** Shows to whom the code that links a device is visible. Anybody who scans it owns the sending account. */
import type { MemberRole } from '@kurir/contracts/dashboard';
import { publicOperations, type Scope } from '@kurir/contracts';
import { createDevice, writePairingCode } from '@kurir/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, holder } from '../../test/customer-fixture.js';
import { type Person, signUp, signUpAs } from '../../test/person.js';
import { call } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let owner: Person;
beforeAll(async () => {
  t = await startTestApi();
  owner = await signUp(t.url);
  const wanted = { accountId: owner.accountId, name: 'Toko', network: 'simulator', pacePerMinute: null } as const;
  const deviceId = await createDevice(t.database, wanted);
  await t.database.pool.query(
    `UPDATE device_leases SET owner = $2, epoch = 1, expires_at = now() + interval '1 hour' WHERE device_id = $1`,
    [deviceId, holder],
  );
  await owner.browser.call('linkDevice', { deviceId, body: { method: 'qr' } });
  const token = { deviceId, owner: holder, epoch: 1n };
  await writePairingCode(t.database, token, '2@code', new Date(Date.now() + 60_000));
});
afterAll(() => t.close());

const codeIn = (data: unknown) => publicOperations.listDevices.data.parse(data).devices[0]?.pairing?.code ?? null;

test.each([
  ['viewer', null],
  ['developer', '2@code'],
  ['owner', '2@code'],
] as const satisfies readonly (readonly [MemberRole, string | null])[])(
  'a person who is %s sees %s',
  async (role, seen) => {
    const person = await signUpAs(t.url, t.database, owner.accountId, role);
    expect(codeIn((await person.browser.call('listDevices')).body.data)).toBe(seen);
  },
);

test.each([
  [['devices:read'], null],
  [['devices:read', 'devices:write'], '2@code'],
  [[], '2@code'],
] as const satisfies readonly (readonly [readonly Scope[], string | null])[])(
  'a key with %j sees %s',
  async (scopes, seen) => {
    const key = await createKey(t.database, owner.accountId, { scopes });
    const customer = { accountId: owner.accountId, key, deviceId: 'dev_none' as never };
    expect(codeIn((await call(t.url, customer, 'listDevices')).body.data)).toBe(seen);
  },
);
