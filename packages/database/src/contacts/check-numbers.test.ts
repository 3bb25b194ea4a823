import { expect, test } from 'vitest';
import { present, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { noteContacts } from '../devices/device-contacts.js';
import { checkNumbers } from './check-numbers.js';

const fixture = useDatabaseFixture();
const numbers = { heard: '6281500000001', failed: '6281500000002', nobody: '6281500000003' } as const;

const check = async ({ accountId }: Tenant, ...asked: string[]) =>
  (await checkNumbers(fixture().database, accountId, asked)).map(({ onNetwork }) => onNetwork);

/** A message to the number fails so many days ago. */
async function fail(tenant: Tenant, recipient: string, daysAgo: number): Promise<void> {
  const { messageId } = present((await fixture().accept(tenant, [{ recipient }]))[0]);
  await fixture().query(
    `UPDATE messages SET status = 'failed', reason = 'recipient_not_on_network', created_at = now() - make_interval(days => $2)
     WHERE id = $1`,
    [messageId, daysAgo],
  );
}

const hear = ({ deviceId }: Tenant, recipient: string) =>
  noteContacts(fixture().database, [{ deviceId, recipient, direction: 'heard' }]);

test('a number is known by traffic with any device, or by a failure, in the order in which it was asked', async () => {
  const tenant = await fixture().tenant();
  const other = await fixture().device(tenant.accountId);
  await hear({ ...tenant, deviceId: other.deviceId }, numbers.heard);
  await fail(tenant, numbers.failed, 1);
  const asked = [numbers.failed, numbers.nobody, numbers.heard, numbers.failed];
  expect(await check(tenant, ...asked)).toEqual([false, null, true, false]);
  expect(await check(tenant)).toEqual([]);
});

test('an account learns nothing from another one', async () => {
  const tenant = await fixture().tenant();
  await hear(tenant, numbers.heard);
  await fail(tenant, numbers.failed, 1);
  expect(await check(await fixture().tenant(), numbers.heard, numbers.failed)).toEqual([null, null]);
});

test('the latest sign counts, and an old failure does not', async () => {
  const tenant = await fixture().tenant();
  await hear(tenant, numbers.heard);
  await fail(tenant, numbers.heard, 3);
  await fail(tenant, numbers.failed, 91);
  expect(await check(tenant, numbers.heard, numbers.failed)).toEqual([true, null]);
  await fixture().query(`UPDATE device_contacts SET seen_at = now() - interval '5 days' WHERE device_id = $1`, [
    tenant.deviceId,
  ]);
  expect(await check(tenant, numbers.heard)).toEqual([false]);
});

test('a message that failed for another reason says nothing', async () => {
  const tenant = await fixture().tenant();
  await fail(tenant, numbers.failed, 1);
  await fixture().query(`UPDATE messages SET reason = 'rejected_by_network' WHERE account_id = $1`, [tenant.accountId]);
  expect(await check(tenant, numbers.failed)).toEqual([null]);
});
