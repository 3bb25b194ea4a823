/** Messages that wait while a device may write to no new contacts, messages that go on, and the end of the wait. */
import type { MessageId } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { sealer, useDatabaseFixture } from '../../test/database-fixture.js';
import { blocked, inAnHour, newContactsOn, numbers } from '../../test/new-contacts-fixture.js';
import { readMessage } from '../messages/read-messages.js';
import { listMessages } from '../messages/reading/list-messages.js';
import { readDueLanes } from '../messages/sweep-messages.js';
import { readIntents, writeAccountLimits, writeDeviceState } from '../sessions/device-session.js';
import { writeLinked } from '../sessions/write-linked.js';
import { createContactWriter } from './device-contacts.js';
import { changeDevice, defaultPoliteness } from './device-settings.js';

const fixture = useDatabaseFixture();
const { known, writer, stranger, another } = numbers;
const { note, accept, drain, limit, shown, pass } = newContactsOn(fixture);

describe('while the network forbids new contacts', () => {
  test('known contacts and people who wrote get theirs in order, and the rest waits with a reason', async () => {
    const tenant = await fixture().tenant();
    await note(tenant.holder, 'wrote', known);
    await note(tenant.holder, 'heard', writer);
    await writeAccountLimits(fixture().database, tenant.holder, blocked(inAnHour()));
    const [, waiting] = await accept(tenant, known, stranger, writer, known);
    expect(await drain(tenant)).toEqual([known, writer, known]);
    expect(await shown(tenant, waiting)).toEqual({ status: 'queued', reason: 'new_contacts_restricted' });
    const filter = { status: null, deviceId: null, recipient: null, clientRef: null, limit: 10, cursor: null };
    const { messages } = await listMessages(fixture().database, tenant.accountId, filter);
    expect(messages.map(({ reason }) => reason)).toEqual([null, null, 'new_contacts_restricted', null]);
    expect(messages.map(({ waiting }) => waiting?.reason)).toEqual([
      undefined,
      undefined,
      'network_restriction',
      undefined,
    ]);
  });

  test('nothing is written to waiting messages, and their lane is not due', async () => {
    const tenant = await fixture().tenant();
    await writeAccountLimits(fixture().database, tenant.holder, blocked(inAnHour()));
    const [id = 'msg_'] = await accept(tenant, stranger, another);
    expect(await drain(tenant)).toEqual([]);
    expect(await readDueLanes(fixture().database, [tenant.deviceId], 0)).toEqual([]);
    expect(await fixture().state(id)).toMatchObject({ status: 'queued', reason: null, attempts: 0, held: false });
  });

  test('another device of the same account goes on', async () => {
    const tenant = await fixture().tenant();
    const second = await fixture().device(tenant.accountId);
    await writeAccountLimits(fixture().database, tenant.holder, blocked(inAnHour()));
    const other = { ...tenant, deviceId: second.deviceId, holder: second };
    await accept(tenant, stranger);
    await accept(other, stranger);
    expect(await drain(tenant)).toEqual([]);
    expect(await drain(other)).toEqual([stranger]);
  });

  test('all messages go at the stated time', async () => {
    const tenant = await fixture().tenant();
    await writeAccountLimits(fixture().database, tenant.holder, blocked(inAnHour()));
    const [id] = await accept(tenant, stranger, another);
    expect(await drain(tenant)).toEqual([]);
    await pass(tenant, 1);
    expect(await shown(tenant, id)).toEqual({ status: 'queued', reason: null });
    expect(await drain(tenant)).toEqual([stranger, another]);
  });

  test('all messages go when the network lifts the block early', async () => {
    const tenant = await fixture().tenant();
    await writeAccountLimits(fixture().database, tenant.holder, blocked(inAnHour()));
    await accept(tenant, stranger);
    await writeAccountLimits(fixture().database, tenant.holder, { newContacts: 'allowed', newChatQuota: null });
    expect(await drain(tenant)).toEqual([stranger]);
  });

  test('a block without an end lasts an hour, then a message asks again', async () => {
    const tenant = await fixture().tenant();
    await writeAccountLimits(fixture().database, tenant.holder, blocked(null));
    await accept(tenant, stranger);
    expect(await drain(tenant)).toEqual([]);
    await pass(tenant, 1);
    expect(await drain(tenant)).toEqual([stranger]);
  });

  test('a report of a worker that has lost the lease changes nothing', async () => {
    const tenant = await fixture().tenant();
    await fixture().handOver(tenant.holder);
    expect(await writeAccountLimits(fixture().database, tenant.holder, blocked(inAnHour()))).toBe(false);
  });
});

describe('a daily limit of new contacts', () => {
  test('stops at its number; people who wrote first do not count, and messages to them go on', async () => {
    const tenant = await fixture().tenant();
    await limit(tenant, 2);
    await note(tenant.holder, 'heard', writer);
    const ids = await accept(tenant, writer, known, stranger, another, stranger);
    expect(await drain(tenant)).toEqual([writer, known, stranger, stranger]);
    expect(await shown(tenant, ids[3])).toEqual({ status: 'queued', reason: 'new_contacts_restricted' });
  });

  test('counts a contact who replies in the instant in which the contact is stored', async () => {
    const tenant = await fixture().tenant();
    await limit(tenant, 1);
    await fixture().query(`UPDATE devices SET new_contacts_automatic = true WHERE id = $1`, [tenant.deviceId]);
    const contacts = createContactWriter(fixture().database);
    const { deviceId } = tenant;
    // The first one is a batch of its own; the others form the next.
    await Promise.all([
      contacts.submit({ deviceId, recipient: writer, direction: 'heard' }),
      contacts.submit({ deviceId, recipient: stranger, direction: 'wrote' }),
      contacts.submit({ deviceId, recipient: stranger, direction: 'heard' }),
    ]);
    expect(
      await fixture().query('SELECT 1 FROM device_health WHERE device_id = $1 AND next_new_contact_at > now()', [
        deviceId,
      ]),
    ).toHaveLength(1);
    await limit(tenant, 1);
    await accept(tenant, writer, stranger, another);
    expect(await drain(tenant)).toEqual([writer, stranger]);
  });

  test('has room again after 24 hours', async () => {
    const tenant = await fixture().tenant();
    await limit(tenant, 1);
    await accept(tenant, stranger, another);
    expect(await drain(tenant)).toEqual([stranger]);
    await pass(tenant, 23);
    expect(await drain(tenant)).toEqual([]);
    await pass(tenant, 1);
    expect(await drain(tenant)).toEqual([another]);
  });

  test('allows only known people when it is zero', async () => {
    const tenant = await fixture().tenant();
    await limit(tenant, 0);
    await note(tenant.holder, 'wrote', known);
    await accept(tenant, stranger, known);
    expect(await drain(tenant)).toEqual([known]);
  });
});

test('is shown as the reason of a wait, like a scheduled time and a retry', async () => {
  const tenant = await fixture().tenant();
  const [later, refused, free] = await fixture().accept(tenant, [
    { recipient: known, sendAt: inAnHour() },
    { recipient: writer },
    { recipient: stranger },
  ]);
  const until = inAnHour();
  await fixture().query(`UPDATE messages SET held_until = $2, waits_until = $2 WHERE id = $1`, [
    refused?.messageId,
    until,
  ]);
  const read = async (id: MessageId | undefined) =>
    (await readMessage(fixture().database, tenant.accountId, id ?? 'msg_'))?.message.waiting;
  expect((await read(later?.messageId))?.reason).toBe('scheduled');
  expect(await read(refused?.messageId)).toEqual({ reason: 'retry', until });
  expect(await read(free?.messageId)).toBeNull();
});

test('a lifted block frees the messages that it held, and without a stored block they stay held', async () => {
  const tenant = await fixture().tenant();
  const [id = ''] = await accept(tenant, stranger);
  const refuse = () =>
    fixture().query(
      `UPDATE messages SET reason = 'new_contacts_restricted', held_until = now() + interval '1 hour',
         waits_until = now() + interval '1 hour' WHERE id = $1`,
      [id],
    );
  const allowed = { newContacts: 'allowed', newChatQuota: null } as const;
  await refuse();
  await writeAccountLimits(fixture().database, tenant.holder, allowed);
  expect(await drain(tenant)).toEqual([]);
  await writeAccountLimits(fixture().database, tenant.holder, blocked(inAnHour()));
  await writeAccountLimits(fixture().database, tenant.holder, allowed);
  expect(await drain(tenant)).toEqual([stranger]);
});

describe('contacts', () => {
  test('are stored once, keep the first time, and keep both directions', async () => {
    const { holder } = await fixture().tenant();
    await note(holder, 'wrote', known, known, stranger);
    const read = () =>
      fixture().query<{ recipient: string; wrote_at: Date; heard: boolean }>(
        `SELECT recipient, wrote_at, heard_at IS NOT NULL AS heard FROM device_contacts WHERE device_id = $1 ORDER BY recipient`,
        [holder.deviceId],
      );
    const first = await read();
    expect(first).toMatchObject([
      { recipient: known, heard: false },
      { recipient: stranger, heard: false },
    ]);
    await note(holder, 'wrote', known);
    await note(holder, 'heard', known);
    expect((await read())[0]).toEqual({ ...first[0], heard: true });
  });

  test('and limits stay when the same number is linked again, and go with another number', async () => {
    const tenant = await fixture().tenant();
    const { holder } = tenant;
    await writeLinked(fixture().database, holder, '628111');
    await note(holder, 'wrote', known);
    await writeAccountLimits(fixture().database, holder, blocked(inAnHour()));
    await accept(tenant, stranger, known);
    await writeLinked(fixture().database, holder, '628111');
    expect(await drain(tenant)).toEqual([known]);
    await writeLinked(fixture().database, holder, '628222');
    expect(await fixture().query('SELECT 1 FROM device_contacts WHERE device_id = $1', [holder.deviceId])).toEqual([]);
    expect(await drain(tenant)).toEqual([stranger]);
  });
});

test('a new WhatsApp device has careful settings, and the worker reads them', async () => {
  const { accountId, deviceId } = await fixture().tenant();
  expect(defaultPoliteness('whatsapp')).toEqual({
    pacePerMinute: 20,
    paceJitterMs: 2_000,
    newContactsPerDay: 'automatic',
    typingMs: 0,
  });
  await changeDevice(fixture().database, sealer, accountId, deviceId, {
    ...defaultPoliteness('whatsapp'),
    typingMs: 900,
  });
  const [intent] = await readIntents(fixture().database, [deviceId]);
  expect(intent).toMatchObject({ pacePerMinute: 20, typingMs: 900, proxySealed: null });
});

test.each(['temporarily_banned', 'rate_limited_by_network'] as const)(
  'the next owner of a device that was %s knows how long it must wait',
  async (reason) => {
    const { holder } = await fixture().tenant();
    const until = inAnHour();
    await writeDeviceState(fixture().database, holder, 'connecting', { reason, until });
    expect(await readIntents(fixture().database, [holder.deviceId])).toMatchObject([{ toldToWaitUntil: until }]);
  },
);
