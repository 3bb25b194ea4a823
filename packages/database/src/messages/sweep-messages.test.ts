import type { MessageId } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { copies, present, type Tenant, type TestInput, useDatabaseFixture } from '../../test/database-fixture.js';
import {
  expireMessages,
  failMessagesOfUnlinked,
  failUnlinkedMessages,
  readDueLanes,
  readSendingDevices,
} from './sweep-messages.js';

const fixture = useDatabaseFixture();

async function accept(tenant: Tenant, ...inputs: TestInput[]): Promise<MessageId[]> {
  return (await fixture().accept(tenant, inputs)).map((message) => message.messageId);
}

const set = (ids: readonly (MessageId | undefined)[], change: string) =>
  fixture().query(`UPDATE messages SET ${change} WHERE id = ANY ($1)`, [ids]);

const statuses = (ids: readonly MessageId[]) => Promise.all(ids.map(async (id) => (await fixture().state(id)).status));

const unlink = (tenant: Tenant) =>
  fixture().query('UPDATE devices SET linked = false WHERE id = $1', [tenant.deviceId]);

describe('the sweep of late messages', () => {
  test('expires messages that wait too long, refunds them, and leaves the rest', async () => {
    const tenant = await fixture().tenant();
    const ids = await accept(tenant, {}, {}, {}, { sendAt: new Date(Date.now() + 3_600_000) });
    const [late, sending, inTime] = ids;
    await set([late, sending], 'expires_at = now() - make_interval(secs => 1)');
    await set([inTime], `expires_at = now() + interval '1 hour'`);
    await set([sending], `status = 'sending', attempts = 1, epoch = 1`);
    expect(await expireMessages(fixture().database)).toHaveLength(1);
    expect(await statuses(ids)).toEqual(['expired', 'sending', 'queued', 'queued']);
    expect(await fixture().taken(tenant.accountId)).toEqual([3]);
    expect(await expireMessages(fixture().database)).toEqual([]);
  });

  test('by several workers at once expires each message once', async () => {
    const tenant = await fixture().tenant();
    const ids = await accept(tenant, ...copies(100));
    await set(ids, 'expires_at = now() - make_interval(secs => 1)');
    const moved = await Promise.all(Array.from({ length: 5 }, () => expireMessages(fixture().database)));
    expect(
      moved
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([...ids].sort());
    expect(await fixture().taken(tenant.accountId)).toEqual([0]);
    expect(await fixture().count('message_events', tenant.accountId)).toBe(100);
  });
});

const contacts = ({ deviceId }: Tenant) =>
  fixture().query('SELECT recipient FROM device_contacts WHERE device_id = $1', [deviceId]);

describe('a message that stays in `sending` long after its time', () => {
  async function leftOver(secondsLate: number): Promise<{ tenant: Tenant; id: MessageId }> {
    const tenant = await fixture().tenant();
    const [id] = await accept(tenant, {});
    await set([id], `status = 'sending', attempts = 1, expires_at = now() - make_interval(secs => ${secondsLate})`);
    return { tenant, id: present(id) };
  }

  test('becomes unknown, and its recipient is noted as a contact', async () => {
    const { tenant, id } = await leftOver(131);
    expect(await expireMessages(fixture().database)).toHaveLength(1);
    expect(await fixture().state(id)).toMatchObject({ status: 'unknown', reason: 'no_answer' });
    expect(await contacts(tenant)).toHaveLength(1);
  });

  test('is left to its worker for as long as a try may take', async () => {
    const { tenant, id } = await leftOver(129);
    expect(await expireMessages(fixture().database)).toEqual([]);
    expect(await fixture().state(id)).toMatchObject({ status: 'sending' });
    expect(await contacts(tenant)).toHaveLength(0);
  });
});

describe('the sweep of unlinked devices', () => {
  test('fails waiting messages with a refund, and makes messages in sending unknown without one', async () => {
    const tenant = await fixture().tenant();
    const begun = { recipient: '6281200000001' };
    const ids = await accept(tenant, {}, begun, {}, {}, { sendAt: new Date(Date.now() + 3_600_000) });
    const [waiting, sending, sent, triedBefore, scheduled] = ids;
    await set([sending], `status = 'sending', attempts = 1, epoch = 1`);
    await set([sent], `status = 'sent', attempts = 1, epoch = 1`);
    await set([triedBefore], `attempts = 2, unanswered = 1, epoch = 1`);
    await unlink(tenant);
    await failUnlinkedMessages(fixture().database);
    expect(await statuses(ids)).toEqual(['failed', 'unknown', 'sent', 'unknown', 'failed']);
    for (const id of [waiting, sending, scheduled])
      expect(await fixture().state(present(id))).toMatchObject({ reason: 'device_unlinked' });
    expect(await fixture().taken(tenant.accountId)).toEqual([3]);
    expect(await contacts(tenant)).toEqual([begun]);
  });

  test('of one device leaves the others to the sweep', async () => {
    const [one, other] = [await fixture().tenant(), await fixture().tenant()];
    const [mine, theirs] = [await accept(one, {}), await accept(other, {})];
    await unlink(one);
    await unlink(other);
    expect(await failMessagesOfUnlinked(fixture().database, one.deviceId)).toBe(1);
    expect(await failMessagesOfUnlinked(fixture().database, one.deviceId)).toBe(0);
    expect([await statuses(mine), await statuses(theirs)]).toEqual([['failed'], ['queued']]);
    await failUnlinkedMessages(fixture().database);
    expect(await statuses(theirs)).toEqual(['failed']);
  });

  test('leaves linked devices alone, and those that are only to be unlinked', async () => {
    const tenant = await fixture().tenant();
    const ids = await accept(tenant, {});
    await fixture().query(`UPDATE devices SET desired_state = 'unlinked', state = 'connecting' WHERE id = $1`, [
      tenant.deviceId,
    ]);
    await failUnlinkedMessages(fixture().database);
    expect(await statuses(ids)).toEqual(['queued']);
  });

  test('finds messages that were accepted while the device was unlinked', async () => {
    const tenant = await fixture().tenant();
    await unlink(tenant);
    await failUnlinkedMessages(fixture().database);
    await fixture().query('UPDATE devices SET linked = true WHERE id = $1', [tenant.deviceId]);
    const ids = await accept(tenant, {});
    await unlink(tenant);
    await failUnlinkedMessages(fixture().database);
    expect(await statuses(ids)).toEqual(['failed']);
    expect(await fixture().taken(tenant.accountId)).toEqual([0]);
  });

  test('ends a large backlog in batches, to the last message', async () => {
    const tenant = await fixture().tenant({ quota: 5_000 });
    for (let i = 0; i < 5; i++) await accept(tenant, ...copies(900));
    await unlink(tenant);
    let batches = 0;
    while ((await failUnlinkedMessages(fixture().database)) > 0) batches++;
    expect(batches).toBeGreaterThan(1);
    expect(await fixture().taken(tenant.accountId)).toEqual([0]);
  });
});

describe('due lanes', () => {
  const elsewhere = '6281234567891';
  const dueLanes = async ({ deviceId }: Tenant, olderThanMs = 0) =>
    (await readDueLanes(fixture().database, [deviceId], olderThanMs)).map(({ priority, messageId }) => [
      priority,
      messageId,
    ]);

  test('have their first message that may go, for each priority and each requested device', async () => {
    const [tenant, other] = [await fixture().tenant(), await fixture().tenant()];
    await accept(other, {});
    const [held, , normal, , code, , bulk] = await accept(
      tenant,
      {},
      {},
      { recipient: elsewhere },
      { sendAt: new Date(Date.now() + 3_600_000) },
      { priority: 'otp' },
      { recipient: elsewhere },
      { priority: 'bulk' },
    );
    await set([held], `held_until = now() + interval '1 hour', waits_until = now() + interval '1 hour'`);
    expect(await dueLanes(tenant)).toEqual([
      [0, code],
      [1, normal],
      [2, bulk],
    ]);
    const [lane] = await readDueLanes(fixture().database, [tenant.deviceId], 0);
    const [row] = await fixture().query<{ id: string }>('SELECT request_id AS id FROM messages WHERE id = $1', [code]);
    expect(lane).toMatchObject({ deviceId: tenant.deviceId, requestId: row?.id });
  });

  test('are left out while all due messages are young', async () => {
    const tenant = await fixture().tenant();
    const ids = await accept(tenant, ...copies(8));
    expect(await dueLanes(tenant, 60_000)).toEqual([]);
    await set([ids[3]], `created_at = now() - interval '2 minutes'`);
    expect(await dueLanes(tenant, 60_000)).toEqual([[1, ids[3]]]);
  });

  test('are left out while the pace holds them, except for codes', async () => {
    const tenant = await fixture().tenant();
    const [, code] = await accept(tenant, {}, { priority: 'otp' });
    await fixture().query(`INSERT INTO device_pace VALUES ($1, now() + interval '1 minute')`, [tenant.deviceId]);
    expect(await dueLanes(tenant)).toEqual([[0, code]]);
    await fixture().query(`UPDATE device_pace SET next_send_at = now() - interval '1 second' WHERE device_id = $1`, [
      tenant.deviceId,
    ]);
    expect((await dueLanes(tenant)).map(([priority]) => priority)).toEqual([0, 1]);
  });
});

test('devices with messages in flight are found among the requested ones', async () => {
  const [idle, busy] = [await fixture().tenant(), await fixture().tenant()];
  await set(await accept(busy, {}), `status = 'sending', attempts = 1, epoch = 1`);
  await accept(idle, {});
  expect(await readSendingDevices(fixture().database, [idle.deviceId, busy.deviceId])).toEqual([busy.deviceId]);
});
