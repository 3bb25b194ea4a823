import { expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { forgetRequestKeys } from './forget-request-keys.js';

const fixture = useDatabaseFixture();
const { signal } = new AbortController();

const keyCount = async (scope: string) =>
  (await fixture().query('SELECT 1 FROM request_keys WHERE scope = $1', [scope])).length;

test('request keys are kept for 72 h, wherever in the table they are', async () => {
  const tenant = await fixture().tenant();
  // Old and new keys, on more pages than one batch has.
  await fixture().query(
    `INSERT INTO request_keys (scope, value, created_at)
     SELECT $1, decode(md5(n::text), 'hex'), now() - CASE WHEN n % 3 = 0 THEN interval '73 hours' ELSE interval '71 hours' END
     FROM generate_series(1, 6000) n`,
    [tenant.accountId],
  );
  expect(await forgetRequestKeys(fixture().database, signal)).toBe(2_000);
  expect(await keyCount(tenant.accountId)).toBe(4_000);
  expect(await forgetRequestKeys(fixture().database, signal)).toBe(0);
});
