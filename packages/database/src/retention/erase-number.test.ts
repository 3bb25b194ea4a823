import { beforeEach, describe, expect, test } from 'vitest';
import { messageOf, present, sealer, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { inboundOn, textFrom } from '../../test/inbound-fixture.js';
import { findEverywhere } from '../../test/find-everywhere.js';
import { keepMail } from '../accounts/kept-mails.js';
import { acceptTogether } from '../messages/accept-messages.js';
import { saveContact } from '../contacts/change-contact.js';
import { noteContacts } from '../devices/device-contacts.js';
import { readSentRecipient } from '../messages/read-sent.js';
import { writeCredentials } from '../sessions/credentials.js';
import { suppress } from '../suppressions/suppress.js';
import { countNumber, eraseNumber, findLinkedBy } from './erase-number.js';

const fixture = useDatabaseFixture();
const { store } = inboundOn(fixture);
let number: string;
let tenant: Tenant;
let count = 0;
beforeEach(async () => {
  number = `62899${String(7_000_000 + ++count)}`;
  tenant = await fixture().tenant();
});

const everywhere = () => ({ number, accountId: null });
const erase = () => eraseNumber(fixture().database, sealer, everywhere());

/** Puts the number into every place that can hold one. */
async function plant(): Promise<void> {
  const { database } = fixture();
  const { accountId, deviceId, holder } = tenant;
  const [ended] = await fixture().accept(tenant, [
    { recipient: number, clientRef: `order-${number}` },
    { recipient: number },
  ]);
  await fixture().change(present(ended).messageId, `status = 'delivered', attempts = 1, body = 'to ${number}'`);
  await noteContacts(database, [
    { deviceId, recipient: number, direction: 'wrote' },
    { deviceId, recipient: number, direction: 'heard' },
  ]);
  await saveContact(database, accountId, { phone: number, change: { name: `Budi ${number}`, lists: ['promo'] } });
  await fixture().query(
    `WITH import AS (
       INSERT INTO contact_imports (id, account_id, upload_id, bytes, country, mapping, on_existing)
       VALUES ($1, $2, $1, 1, 'ID', '{}', 'keep') RETURNING id)
     INSERT INTO contact_import_refusals (import_id, row, value, code, phone) SELECT id, 2, $3, 'duplicate_in_file', $3 FROM import`,
    [`imp_${accountId}`, accountId, number],
  );
  const lid = `9${number}`;
  const person = { userId: `lid:${lid}`, phone: number, username: null, name: `Budi ${number}` };
  const hidden = { ...person, phone: null };
  const chat = { id: 'group:1', type: 'group' as const };
  await store(deviceId, textFrom({ ...person, userId: number }, 'a'), textFrom(hidden, `call ${number}`));
  await store(deviceId, textFrom(person, 'b'), textFrom(person, 'c', { chat }));
  await store(deviceId, { ...textFrom(person, 'd'), kind: 'sent-elsewhere' });
  const value = Buffer.from(JSON.stringify(lid));
  await writeCredentials(database, sealer, holder, [
    { kind: 'lid-mapping', id: number, value },
    { kind: 'lid-mapping', id: `${lid}_reverse`, value: Buffer.from(JSON.stringify(number)) },
    { kind: 'session', id: `${number}.0`, value },
    { kind: 'session', id: `${lid}_1.0`, value },
    { kind: 'person', id: number, value },
    { kind: 'pre-key', id: '42', value },
  ]);
  for (const scope of ['marketing', 'all'] as const)
    await suppress(
      database,
      fixture().accountKeys,
      { accountId, phones: [number], scope, reason: 'manual', actor: null },
      undefined,
    );
  const own = await fixture().device(accountId);
  await fixture().query(
    `UPDATE devices SET linked = false, desired_state = 'unlinked', state = 'disconnected', phone_number = $2, pairing_number = $2
     WHERE id = $1`,
    [own.deviceId, number],
  );
  await keepMail(database, { recipient: 'a@example.com', subject: 'Hi', text: `linked ${number}`, html: '' });
}

test('a number is found nowhere in the database after its erasure, and quota and rows stay right', async () => {
  await plant();
  const other = `${number}1`;
  await fixture().accept(tenant, [{ recipient: other }]);
  expect((await findEverywhere(fixture(), number)).length).toBeGreaterThan(8);
  const counted = await countNumber(fixture().database, sealer, everywhere());
  expect(counted).toEqual({
    messages: 2,
    sending: 0,
    contacts: 1,
    devices: 1,
    credentials: 5,
    mails: 1,
    inbound: 6,
    savedContacts: 1,
  });
  expect(await erase()).toEqual(counted);
  const left = await findEverywhere(fixture(), number);
  expect(left.filter((row) => !row.includes(other))).toEqual([]);
  // The waiting message was cancelled. The delivered one and the one to another number still count.
  expect(await fixture().taken(tenant.accountId)).toEqual([2]);
  expect(await fixture().count('messages', tenant.accountId)).toBe(3);
  // The person stays suppressed.
  const again = messageOf(tenant, { recipient: number, category: 'marketing' });
  expect(await acceptTogether(fixture().database, fixture().accountKeys, [again])).toEqual([
    { kind: 'refused', code: 'RECIPIENT_SUPPRESSED' },
  ]);
  expect(await fixture().query('SELECT id FROM device_credentials WHERE device_id = $1', [tenant.deviceId])).toEqual([
    { id: '42' },
  ]);
});

test('a second run erases nothing, and the audit log has no number', async () => {
  await plant();
  const audit = { accountId: null, actor: `admin of ${tenant.accountId}`, action: 'number.erased' } as const;
  const nothing = {
    messages: 0,
    sending: 0,
    contacts: 0,
    devices: 0,
    credentials: 0,
    mails: 0,
    inbound: 0,
    savedContacts: 0,
  };
  await eraseNumber(fixture().database, sealer, everywhere(), { audit });
  expect(await erase()).toEqual(nothing);
  expect(await countNumber(fixture().database, sealer, everywhere())).toEqual(nothing);
  expect(await fixture().query('SELECT subject, detail FROM audit_log WHERE actor = $1', [audit.actor])).toEqual([
    { subject: null, detail: null },
  ]);
});

test('two runs at once erase everything and refund each message once', async () => {
  await fixture().accept(
    tenant,
    Array.from({ length: 200 }, () => ({ recipient: number })),
  );
  const [one, two] = await Promise.all([erase(), erase()]);
  expect(one.messages + two.messages).toBe(200);
  expect(await fixture().taken(tenant.accountId)).toEqual([0]);
});

test('a run that dies in the middle is ended by the next one', async () => {
  await plant();
  const { database } = fixture();
  const dying = { ...database, pool: Object.create(database.pool) as typeof database.pool };
  let left = 4;
  dying.pool.query = ((...args: Parameters<typeof database.pool.query>) => {
    if (left-- === 0) throw new Error('killed');
    return database.pool.query(...args);
  }) as typeof database.pool.query;
  await expect(eraseNumber(dying, sealer, everywhere())).rejects.toThrow('killed');
  expect(await findEverywhere(fixture(), number)).not.toEqual([]);
  await erase();
  expect(await findEverywhere(fixture(), number)).toEqual([]);
});

test('while messages to the number are being accepted, those from before the run are erased, and a later run erases the rest', async () => {
  const stop = new AbortController();
  const before = await fixture().accept(
    tenant,
    Array.from({ length: 50 }, () => ({ recipient: number })),
  );
  const accepting = (async () => {
    while (!stop.signal.aborted) {
      await fixture().accept(tenant, [{ recipient: number }]);
    }
  })();
  await erase();
  const ids = before.map(({ messageId }) => messageId);
  expect(await fixture().query('SELECT 1 FROM messages WHERE id = ANY ($1) AND recipient = $2', [ids, number])).toEqual(
    [],
  );
  stop.abort();
  await accepting;
  await erase();
  expect(await findEverywhere(fixture(), number)).toEqual([]);
  expect(await fixture().taken(tenant.accountId)).toEqual([0]);
});

describe('a message that is being sent', () => {
  test('stays until it has ended, and a later run erases it', async () => {
    const [standing] = await fixture().sending(tenant);
    const id = present(standing).id;
    await fixture().change(id, `recipient = '${number}'`);
    expect(await erase()).toMatchObject({ messages: 0, sending: 1 });
    expect((await fixture().state(id)).status).toBe('sending');
    await fixture().change(id, `status = 'sent'`);
    expect(await erase()).toMatchObject({ messages: 1, sending: 0 });
    expect(await findEverywhere(fixture(), number)).toEqual([]);
  });

  test('whose receipt comes after its erasure makes nobody a contact', async () => {
    const [standing] = await fixture().sending(tenant);
    const { id, networkMessageId } = present(standing);
    await fixture().change(id, `recipient = '${number}', status = 'sent'`);
    await erase();
    expect(await readSentRecipient(fixture().database, tenant.deviceId, networkMessageId)).toBeNull();
  });
});

test('a waiting message with a try that had no answer becomes unknown, and its quota stays taken', async () => {
  const [message] = await fixture().accept(tenant, [{ recipient: number }]);
  const { messageId } = present(message);
  await fixture().change(messageId, 'attempts = 1, unanswered = 1');
  await erase();
  expect(await fixture().state(messageId)).toMatchObject({ status: 'unknown', reason: 'no_answer' });
  expect(await fixture().taken(tenant.accountId)).toEqual([1]);
});

test('an erased new contact of today still counts for the limit of its device', async () => {
  await noteContacts(fixture().database, [{ deviceId: tenant.deviceId, recipient: number, direction: 'wrote' }]);
  await erase();
  const rows = await fixture().query('SELECT recipient FROM device_contacts WHERE device_id = $1', [tenant.deviceId]);
  expect(rows).toEqual([{ recipient: expect.stringMatching(/^erased /) }]);
});

test('with an account, the messages of other accounts stay', async () => {
  const other = await fixture().tenant();
  for (const each of [tenant, other]) await fixture().accept(each, [{ recipient: number }]);
  const which = { number, accountId: tenant.accountId };
  expect(await countNumber(fixture().database, sealer, which)).toMatchObject({ messages: 1 });
  await eraseNumber(fixture().database, sealer, which);
  const rows = await fixture().query('SELECT account_id FROM messages WHERE recipient = $1', [number]);
  expect(rows).toEqual([{ account_id: other.accountId }]);
});

test('a device that is linked with the number is named, because it must be unlinked first', async () => {
  await fixture().query('UPDATE devices SET phone_number = $2 WHERE id = $1', [tenant.deviceId, number]);
  expect(await findLinkedBy(fixture().database, everywhere())).toEqual([tenant.deviceId]);
});
