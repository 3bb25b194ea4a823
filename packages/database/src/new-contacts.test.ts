/** What waits while a device may write to nobody new, what goes on, and that all of it resumes by itself. */
import { createSecretKey, randomBytes } from 'node:crypto';
import type { MessageId, SendInput } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { createClaimer, type Holder } from './claim-message.js';
import { createContactWriter } from './device-contacts.js';
import { readIntents, writeAccountLimits, writeDeviceState, writeLinked, writeUnlinked } from './device-session.js';
import { changeDevice, defaultPoliteness } from './device-settings.js';
import { listMessages, readMessage } from './read-messages.js';
import { createSealer } from './sealer.js';
import { readLastDue, readWaitingLanes } from './sweep-messages.js';
import { type Tenant, useBench } from './testing/bench.js';
import { moveMessages } from './write-status.js';

const bench = useBench();
const sealer = createSealer(createSecretKey(randomBytes(32)));
const farAhead = 2n ** 62n;
const hour = 3_600_000;
const [known, writer, stranger, another] = ['6281100000001', '6281100000002', '6281100000003', '6281100000004'];

const inAnHour = () => new Date(Date.now() + hour);
const blocked = (blockedUntil: Date | null) => ({
  newContacts: { blockedUntil, reason: 'too_many_strangers' },
  newChatQuota: null,
});

async function note(holder: Holder, direction: 'wrote' | 'heard', ...recipients: string[]): Promise<void> {
  const contacts = createContactWriter(bench().database);
  await Promise.all(
    recipients.map((recipient) => contacts.submit({ deviceId: holder.deviceId, recipient, direction })),
  );
}

async function accept(tenant: Tenant, ...recipients: string[]): Promise<MessageId[]> {
  const inputs = recipients.map((recipient): Partial<SendInput> => ({ recipient, text: recipient }));
  return (await bench().accept(tenant, inputs)).map((message) => message.messageId);
}

/** Claims what is due, one after the other, each sent at once and noted as the worker does. */
async function drain({ holder }: Tenant): Promise<string[]> {
  const recipients: string[] = [];
  for (;;) {
    const claim = await createClaimer(bench().database).submit({
      ...holder,
      priority: 1,
      upToSeq: farAhead,
      most: 1,
      except: [],
    });
    if (claim.kind !== 'claimed') return recipients;
    for (const { id, recipient } of claim.messages) {
      recipients.push(recipient);
      await note(holder, 'wrote', recipient);
      await moveMessages(bench().database.pool, [{ id, to: 'sent' }]);
    }
  }
}

async function limit({ accountId, deviceId }: Tenant, newContactsPerDay: number): Promise<void> {
  await changeDevice(bench().database, sealer, accountId, deviceId, { newContactsPerDay });
}

async function shown({ accountId }: Tenant, id: MessageId | undefined) {
  const found = await readMessage(bench().database, accountId, id ?? 'msg_');
  return { status: found?.message.status, reason: found?.message.reason };
}

/** As if so much time had passed for the device and whom it knows. */
async function pass({ deviceId }: Tenant, hours: number): Promise<void> {
  await bench().query(
    `UPDATE devices SET new_contacts_blocked_until = new_contacts_blocked_until - make_interval(hours => $2) WHERE id = $1`,
    [deviceId, hours],
  );
  await bench().query(
    `UPDATE device_contacts SET wrote_at = wrote_at - make_interval(hours => $2), heard_at = heard_at - make_interval(hours => $2)
     WHERE device_id = $1`,
    [deviceId, hours],
  );
}

describe('while the network forbids new contacts', () => {
  test('who was written to and who wrote still get theirs, in order; the rest waits and says why', async () => {
    const tenant = await bench().tenant();
    await note(tenant.holder, 'wrote', known);
    await note(tenant.holder, 'heard', writer);
    await writeAccountLimits(bench().database, tenant.holder, blocked(inAnHour()));
    const [, waiting] = await accept(tenant, known, stranger, writer, known);
    expect(await drain(tenant)).toEqual([known, writer, known]);
    expect(await shown(tenant, waiting)).toEqual({ status: 'queued', reason: 'new_contacts_restricted' });
    const filter = { status: null, deviceId: null, recipient: null, clientRef: null, limit: 10, cursor: null };
    const { messages } = await listMessages(bench().database, tenant.accountId, filter);
    expect(messages.map(({ reason }) => reason)).toEqual([null, null, 'new_contacts_restricted', null]);
    expect(messages.map(({ waiting }) => waiting?.reason)).toEqual([
      undefined,
      undefined,
      'network_restriction',
      undefined,
    ]);
  });

  test('nothing is written to what waits, and no job is asked for it', async () => {
    const tenant = await bench().tenant();
    await writeAccountLimits(bench().database, tenant.holder, blocked(inAnHour()));
    const [id = 'msg_'] = await accept(tenant, stranger, another);
    expect(await drain(tenant)).toEqual([]);
    expect(await readWaitingLanes(bench().database, [tenant.deviceId], 0, 10)).toEqual([]);
    expect(await readLastDue(bench().database, tenant.deviceId, 1, 10)).toBeNull();
    expect(await bench().state(id)).toMatchObject({ status: 'queued', reason: null, attempts: 0, held: false });
  });

  test('another device of the same account goes on', async () => {
    const tenant = await bench().tenant();
    const second = await bench().device(tenant.accountId);
    await writeAccountLimits(bench().database, tenant.holder, blocked(inAnHour()));
    const other = { ...tenant, deviceId: second.deviceId, holder: second };
    await accept(tenant, stranger);
    await accept(other, stranger);
    expect(await drain(tenant)).toEqual([]);
    expect(await drain(other)).toEqual([stranger]);
  });

  test('all go on by themselves at the stated time', async () => {
    const tenant = await bench().tenant();
    await writeAccountLimits(bench().database, tenant.holder, blocked(inAnHour()));
    const [id] = await accept(tenant, stranger, another);
    expect(await drain(tenant)).toEqual([]);
    await pass(tenant, 1);
    expect(await shown(tenant, id)).toEqual({ status: 'queued', reason: null });
    expect(await drain(tenant)).toEqual([stranger, another]);
  });

  test('and when the network lifts it earlier', async () => {
    const tenant = await bench().tenant();
    await writeAccountLimits(bench().database, tenant.holder, blocked(inAnHour()));
    await accept(tenant, stranger);
    await writeAccountLimits(bench().database, tenant.holder, { newContacts: 'allowed', newChatQuota: null });
    expect(await drain(tenant)).toEqual([stranger]);
  });

  test('without a stated end it counts for an hour, then a message asks again', async () => {
    const tenant = await bench().tenant();
    await writeAccountLimits(bench().database, tenant.holder, blocked(null));
    await accept(tenant, stranger);
    expect(await drain(tenant)).toEqual([]);
    await pass(tenant, 1);
    expect(await drain(tenant)).toEqual([stranger]);
  });

  test('the word of a worker that has lost the lease changes nothing', async () => {
    const tenant = await bench().tenant();
    await bench().handOver(tenant.holder);
    expect(await writeAccountLimits(bench().database, tenant.holder, blocked(inAnHour()))).toBe(false);
  });
});

describe('a limit of new contacts a day', () => {
  test('stops at so many; who wrote first does not count, and messages to them go on', async () => {
    const tenant = await bench().tenant();
    await limit(tenant, 2);
    await note(tenant.holder, 'heard', writer);
    const ids = await accept(tenant, writer, known, stranger, another, stranger);
    expect(await drain(tenant)).toEqual([writer, known, stranger, stranger]);
    expect(await shown(tenant, ids[3])).toEqual({ status: 'queued', reason: 'new_contacts_restricted' });
  });

  test('counts somebody who answers in the instant in which the contact is stored', async () => {
    const tenant = await bench().tenant();
    await limit(tenant, 1);
    await bench().query(`UPDATE devices SET new_contacts_automatic = true WHERE id = $1`, [tenant.deviceId]);
    const contacts = createContactWriter(bench().database);
    const { deviceId } = tenant;
    // The first one is a batch of its own, and what comes meanwhile is the next.
    await Promise.all([
      contacts.submit({ deviceId, recipient: writer, direction: 'heard' }),
      contacts.submit({ deviceId, recipient: stranger, direction: 'wrote' }),
      contacts.submit({ deviceId, recipient: stranger, direction: 'heard' }),
    ]);
    expect(
      await bench().query('SELECT 1 FROM device_health WHERE device_id = $1 AND next_new_contact_at > now()', [
        deviceId,
      ]),
    ).toHaveLength(1);
    await limit(tenant, 1);
    await accept(tenant, writer, stranger, another);
    expect(await drain(tenant)).toEqual([writer, stranger]);
  });

  test('has room again 24 hours after', async () => {
    const tenant = await bench().tenant();
    await limit(tenant, 1);
    await accept(tenant, stranger, another);
    expect(await drain(tenant)).toEqual([stranger]);
    await pass(tenant, 23);
    expect(await drain(tenant)).toEqual([]);
    await pass(tenant, 1);
    expect(await drain(tenant)).toEqual([another]);
  });

  test('of nothing lets only known people be written to', async () => {
    const tenant = await bench().tenant();
    await limit(tenant, 0);
    await note(tenant.holder, 'wrote', known);
    await accept(tenant, stranger, known);
    expect(await drain(tenant)).toEqual([known]);
  });
});

describe('the automatic limit', () => {
  const people = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `62822${from + n}`);
  const codes = (recipients: readonly string[]) =>
    recipients.map((recipient): Partial<SendInput> => ({ recipient, text: recipient, priority: 'otp' }));

  async function automatic(): Promise<Tenant> {
    const tenant = await bench().tenant();
    await writeLinked(bench().database, tenant.holder, '628111');
    await bench().query(`UPDATE devices SET state = 'connected' WHERE id = $1`, [tenant.deviceId]);
    const { accountId, deviceId } = tenant;
    await changeDevice(bench().database, sealer, accountId, deviceId, { newContactsPerDay: 'automatic' });
    return tenant;
  }

  /** As if the pause were over. */
  const resume = ({ deviceId }: Tenant) =>
    bench().query(`UPDATE device_health SET next_new_contact_at = now() - interval '1 second' WHERE device_id = $1`, [
      deviceId,
    ]);

  /** All that goes out when no pause holds it. */
  async function drainAll(tenant: Tenant): Promise<string[]> {
    const all: string[] = [];
    for (let some = await drain(tenant); some.length > 0; some = await drain(tenant)) {
      all.push(...some);
      await resume(tenant);
    }
    return all;
  }

  async function waitingOf({ accountId }: Tenant, id: MessageId | undefined) {
    return (await readMessage(bench().database, accountId, id ?? 'msg_'))?.message.waiting ?? null;
  }

  test('pauses for 20 to 60 s after a new contact; known contacts, replies and codes go on meanwhile', async () => {
    const tenant = await automatic();
    await note(tenant.holder, 'wrote', known);
    await resume(tenant);
    await note(tenant.holder, 'heard', writer);
    const before = Date.now();
    const [, waits] = await accept(tenant, stranger, another, known, writer);
    expect(await drain(tenant)).toEqual([stranger, known, writer]);
    const waiting = await waitingOf(tenant, waits);
    expect(waiting?.reason).toBe('new_contact_pause');
    const pauseMs = (waiting?.until?.getTime() ?? 0) - before;
    expect(pauseMs).toBeGreaterThan(19_900);
    expect(pauseMs).toBeLessThan(70_000);
    expect(await shown(tenant, waits)).toEqual({ status: 'queued', reason: null });
    await bench().accept(tenant, codes(['62833']));
    expect(await drain(tenant)).toEqual([]);
    const code = await createClaimer(bench().database).submit({
      ...tenant.holder,
      priority: 0,
      upToSeq: null,
      most: 1,
      except: [],
    });
    expect(code).toMatchObject({ kind: 'claimed', messages: [{ recipient: '62833' }] });
  });

  test('keeps a fifth for codes, and no more than the whole for them', async () => {
    const tenant = await automatic();
    const [last] = (await accept(tenant, ...people(17))).slice(-1);
    expect(await drainAll(tenant)).toEqual(people(16));
    expect((await waitingOf(tenant, last))?.reason).toBe('new_contact_allowance');
    const claimer = createClaimer(bench().database);
    const sent: string[] = [];
    await bench().accept(tenant, codes(people(5, 100)));
    for (;;) {
      const claim = await claimer.submit({ ...tenant.holder, priority: 0, upToSeq: null, most: 1, except: [] });
      if (claim.kind !== 'claimed') break;
      for (const { id, recipient } of claim.messages) {
        sent.push(recipient);
        await note(tenant.holder, 'wrote', recipient);
        await moveMessages(bench().database.pool, [{ id, to: 'sent' }]);
      }
    }
    expect(sent).toEqual(people(4, 100));
  });

  test('stops at a second warning, is halved by a first, and says until when; told twice it is the same', async () => {
    const tenant = await automatic();
    const until = inAnHour();
    const warn = (kind: 'first' | 'second') =>
      writeAccountLimits(bench().database, tenant.holder, {
        newContacts: 'allowed',
        newChatQuota: null,
        warning: { kind, until },
      });
    const health = () => bench().query('SELECT * FROM device_health WHERE device_id = $1', [tenant.deviceId]);
    await warn('second');
    const [id] = await accept(tenant, ...people(10));
    expect(await drainAll(tenant)).toEqual([]);
    expect(await waitingOf(tenant, id)).toEqual({ reason: 'network_warning', until });
    await warn('first');
    const once = await health();
    await warn('first');
    expect(await health()).toEqual(once);
    expect(await drainAll(tenant)).toEqual(people(8));
  });

  test('a worker that has lost the lease changes no health, and another number begins anew', async () => {
    const tenant = await automatic();
    const read = () =>
      bench().query('SELECT was_restricted, clean_days, warning FROM device_health WHERE device_id = $1', [
        tenant.deviceId,
      ]);
    await writeAccountLimits(bench().database, { ...tenant.holder, epoch: 0n }, blocked(inAnHour()));
    expect(await read()).toEqual([{ was_restricted: false, clean_days: 0, warning: 0 }]);
    await writeAccountLimits(bench().database, tenant.holder, blocked(inAnHour()));
    await writeLinked(bench().database, tenant.holder, '628111');
    expect(await read()).toEqual([{ was_restricted: true, clean_days: 0, warning: 0 }]);
    await writeLinked(bench().database, tenant.holder, '628222');
    expect(await read()).toEqual([{ was_restricted: false, clean_days: 0, warning: 0 }]);
  });

  const healthOf = async ({ deviceId }: Tenant) =>
    (
      await bench().query<{ was_restricted: boolean; clean_days: number; clean_since: Date; warning: number }>(
        'SELECT was_restricted, clean_days, clean_since, warning FROM device_health WHERE device_id = $1',
        [deviceId],
      )
    )[0];
  const passDays = ({ deviceId }: Tenant, days: number) =>
    bench().query(
      `UPDATE device_health SET clean_since = clean_since - make_interval(days => $2) WHERE device_id = $1`,
      [deviceId, days],
    );

  test('counts a temporary ban as a restriction until its end, and keeps a warning; told twice it is the same', async () => {
    const tenant = await automatic();
    const until = inAnHour();
    await passDays(tenant, 3);
    const note = { reason: 'temporarily_banned', until } as const;
    await writeDeviceState(bench().database, { ...tenant.holder, epoch: 0n }, 'connecting', note);
    await writeDeviceState(bench().database, tenant.holder, 'connecting', { reason: 'rate_limited_by_network', until });
    expect(await healthOf(tenant)).toMatchObject({ was_restricted: false, clean_days: 0 });
    const warning = { kind: 'first', until: inAnHour() } as const;
    await writeAccountLimits(bench().database, tenant.holder, { newContacts: 'allowed', newChatQuota: null, warning });
    const longer = new Date(until.getTime() + hour);
    for (const _ of [1, 2]) {
      await writeDeviceState(bench().database, tenant.holder, 'connecting', { ...note, until: longer });
      expect(await healthOf(tenant)).toEqual({ was_restricted: true, clean_days: 0, clean_since: longer, warning: 1 });
    }
  });

  test('counts no clean days while the number is not linked, and goes on at its step when it is linked again', async () => {
    const tenant = await automatic();
    await passDays(tenant, 3);
    await writeUnlinked(bench().database, tenant.holder, 'disconnected', null);
    await passDays(tenant, 5);
    const before = Date.now() - 1_000;
    await writeLinked(bench().database, tenant.holder, '628111');
    const relinked = await healthOf(tenant);
    expect(relinked).toMatchObject({ was_restricted: false, clean_days: 3 });
    expect(relinked?.clean_since.getTime()).toBeGreaterThan(before);
    await bench().query('UPDATE device_health SET was_restricted = true WHERE device_id = $1', [tenant.deviceId]);
    await writeLinked(bench().database, tenant.holder, '628111');
    expect(await healthOf(tenant)).toMatchObject({ was_restricted: true, clean_days: 0 });
  });

  test('a fixed limit has neither pause nor fifth, whatever the network warns of', async () => {
    const tenant = await automatic();
    await writeAccountLimits(bench().database, tenant.holder, {
      newContacts: 'allowed',
      newChatQuota: null,
      warning: { kind: 'second', until: null },
    });
    await limit(tenant, 3);
    await accept(tenant, ...people(4));
    expect(await drain(tenant)).toEqual(people(3));
  });
});

test('what a message waits for is said: its time, its next try, and nothing when it may go', async () => {
  const tenant = await bench().tenant();
  const [later, refused, free] = await bench().accept(tenant, [
    { recipient: known, sendAt: inAnHour() },
    { recipient: writer },
    { recipient: stranger },
  ]);
  const until = inAnHour();
  await bench().query(`UPDATE messages SET held_until = $2, waits_until = $2 WHERE id = $1`, [
    refused?.messageId,
    until,
  ]);
  const read = async (id: MessageId | undefined) =>
    (await readMessage(bench().database, tenant.accountId, id ?? 'msg_'))?.message.waiting;
  expect((await read(later?.messageId))?.reason).toBe('scheduled');
  expect(await read(refused?.messageId)).toEqual({ reason: 'retry', until });
  expect(await read(free?.messageId)).toBeNull();
});

test('what was refused for a block is free once that is lifted, and stays held where none was known', async () => {
  const tenant = await bench().tenant();
  const [id = ''] = await accept(tenant, stranger);
  const refuse = () =>
    bench().query(
      `UPDATE messages SET reason = 'new_contacts_restricted', held_until = now() + interval '1 hour',
         waits_until = now() + interval '1 hour' WHERE id = $1`,
      [id],
    );
  const allowed = { newContacts: 'allowed', newChatQuota: null } as const;
  await refuse();
  await writeAccountLimits(bench().database, tenant.holder, allowed);
  expect(await drain(tenant)).toEqual([]);
  await writeAccountLimits(bench().database, tenant.holder, blocked(inAnHour()));
  await writeAccountLimits(bench().database, tenant.holder, allowed);
  expect(await drain(tenant)).toEqual([stranger]);
});

describe('contacts', () => {
  test('are noted once, the first time counts, and both directions are kept', async () => {
    const { holder } = await bench().tenant();
    await note(holder, 'wrote', known, known, stranger);
    const read = () =>
      bench().query<{ recipient: string; wrote_at: Date; heard: boolean }>(
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

  test('and limits are kept when the same number is linked again, and forgotten for another one', async () => {
    const tenant = await bench().tenant();
    const { holder } = tenant;
    await writeLinked(bench().database, holder, '628111');
    await note(holder, 'wrote', known);
    await writeAccountLimits(bench().database, holder, blocked(inAnHour()));
    await accept(tenant, stranger, known);
    await writeLinked(bench().database, holder, '628111');
    expect(await drain(tenant)).toEqual([known]);
    await writeLinked(bench().database, holder, '628222');
    expect(await bench().query('SELECT 1 FROM device_contacts WHERE device_id = $1', [holder.deviceId])).toEqual([]);
    expect(await drain(tenant)).toEqual([stranger]);
  });
});

test('what a WhatsApp device starts with spares its number, and the worker reads it', async () => {
  const { accountId, deviceId } = await bench().tenant();
  expect(defaultPoliteness('whatsapp')).toEqual({
    pacePerMinute: 20,
    paceJitterMs: 2_000,
    newContactsPerDay: 'automatic',
    typingMs: 0,
  });
  await changeDevice(bench().database, sealer, accountId, deviceId, {
    ...defaultPoliteness('whatsapp'),
    typingMs: 900,
  });
  const [intent] = await readIntents(bench().database, [deviceId]);
  expect(intent).toMatchObject({ pacePerMinute: 20, paceJitterMs: 2_000, typingMs: 900, proxySealed: null });
});

test.each(['temporarily_banned', 'rate_limited_by_network'] as const)(
  'the next holder of a device that was %s knows until when it has to wait',
  async (reason) => {
    const { holder } = await bench().tenant();
    const until = inAnHour();
    await writeDeviceState(bench().database, holder, 'connecting', { reason, until });
    expect(await readIntents(bench().database, [holder.deviceId])).toMatchObject([{ toldToWaitUntil: until }]);
  },
);
