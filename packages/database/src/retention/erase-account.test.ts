import { randomBytes } from 'node:crypto';
import { type ApiKeyId, newId } from '@kurir/contracts';
import { beforeEach, expect, test } from 'vitest';
import {
  type DatabaseFixture,
  messageOf,
  present,
  sealer,
  type Tenant,
  useDatabaseFixture,
} from '../../test/database-fixture.js';
import { findEverywhere } from '../../test/find-everywhere.js';
import { createAccountKeys } from '../accounts/account-keys.js';
import { createApiKey, readApiKey } from '../accounts/api-keys.js';
import { noteReading } from '../accounts/audit.js';
import { writeInvitation } from '../accounts/invitations.js';
import { addMember, ensureMemberships } from '../accounts/members.js';
import { ensurePerson } from '../accounts/people.js';
import { saveContact } from '../contacts/change-contact.js';
import { noteContacts } from '../devices/device-contacts.js';
import { acceptTogether } from '../messages/accept-messages.js';
import { listAccountOverviews } from '../reports/account-overviews.js';
import { createTemplate } from '../templates/change-template.js';
import { writeUnlinked } from '../sessions/device-session.js';
import {
  beginAccountErasure,
  continueAccountErasure,
  continueErasures,
  countAccount,
  readErasureState,
} from './erase-account.js';

const fixture = useDatabaseFixture();
const { signal } = new AbortController();
let tenant: Tenant;
let mark: string;

type World = { readonly key: { id: ApiKeyId; accountId: Tenant['accountId'] }; readonly userId: string };

/** Gives the account a key, a member, an invitation, a named device, a contact and messages, all with the mark. */
async function fill(given: DatabaseFixture): Promise<World> {
  const { database } = given;
  const { accountId, deviceId } = tenant;
  await given.query('UPDATE accounts SET name = $2 WHERE id = $1', [accountId, `PT ${mark}`]);
  await given.query('UPDATE devices SET name = $2, phone_number = $3 WHERE id = $1', [deviceId, `Kasir ${mark}`, mark]);
  const key = { id: `kk_test_${randomBytes(8).toString('hex')}` as ApiKeyId, accountId };
  await createApiKey(database, sealer, { ...key, secret: 's', name: `key ${mark}`, scopes: [], allowedIps: [] });
  const email = `${newId('usr')}@example.com`;
  const userId = await ensurePerson(database, { email, name: 'Budi', passwordHash: 'x', isAdmin: false });
  await addMember(database, accountId, userId, 'owner');
  await noteReading(database, { accountId, actor: userId, action: 'session.began', address: mark });
  await writeInvitation(database, { accountId, email: `${mark}@example.com`, role: 'viewer' });
  await noteContacts(database, [{ deviceId, recipient: mark, direction: 'wrote' }]);
  const texts = { text: `Halo ${mark}`, footer: `STOP ${mark}`, createdBy: userId };
  await createTemplate(database, { accountId, name: `Promo ${mark}`, ...texts });
  await saveContact(database, accountId, { phone: mark, change: { name: `Budi ${mark}` } });
  const [ended] = await given.accept(tenant, [
    { recipient: mark, clientRef: `ref-${mark}`, text: `text ${mark}` },
    { recipient: mark, text: `text ${mark}` },
  ]);
  await given.change(present(ended).messageId, `status = 'read', attempts = 1`);
  return { key, userId };
}

let world: World;
let count = 0;
beforeEach(async () => {
  tenant = await fixture().tenant();
  mark = `62877${String(7_000_000 + ++count)}`;
  world = await fill(fixture());
});

const audit = () => ({ accountId: tenant.accountId, actor: 'admin', action: 'account.erased' }) as const;
const begin = () => beginAccountErasure(fixture().database, tenant.accountId, audit());
const go = (force = false) => continueAccountErasure(fixture().database, tenant.accountId, { force, settlingMs: 0 });
/** As the worker does it. */
const logOut = async () => {
  await writeUnlinked(fixture().database, tenant.holder, 'disconnected', null);
  await fixture().query('UPDATE device_leases SET owner = NULL WHERE device_id = $1', [tenant.deviceId]);
};

test('an account goes after its devices are logged out; nothing of it is found, and its periods stay', async () => {
  const { accountId } = tenant;
  const { database } = fixture();
  expect((await findEverywhere(fixture(), mark)).length).toBeGreaterThan(8);
  expect(await countAccount(database, accountId)).toEqual({
    devices: 1,
    linked: 1,
    keys: 1,
    members: 1,
    invitations: 1,
    messages: 2,
  });
  expect(await begin()).toBe(true);
  expect(await go()).toEqual({ done: false, linked: 1, ending: 0 });
  await logOut();
  expect(await go()).toEqual({ done: true, linked: 0, ending: 0 });
  expect(await readErasureState(database, accountId)).toBe('erased');
  expect(await findEverywhere(fixture(), mark)).toEqual([]);
  for (const table of ['account_keys', 'api_keys', 'devices', 'plan_choices', 'members', 'invitations', 'templates']) {
    const left = await fixture().query(`SELECT * FROM ${table} WHERE account_id = $1`, [accountId]);
    expect(left.filter((row) => !('deleted_at' in row))).toEqual([]);
  }
  // The waiting message came back; the one that was read still counts.
  expect(await fixture().taken(accountId)).toEqual([1]);
});

test('from the beginning on, its key opens nothing, nobody sees it, and it is in no list', async () => {
  const { database } = fixture();
  await begin();
  expect(await readApiKey(database, sealer, world.key.id)).toBeNull();
  expect(await fixture().query('SELECT 1 FROM members WHERE account_id = $1', [tenant.accountId])).toEqual([]);
  const filter = { search: null, limit: 100, cursor: null, accountId: tenant.accountId };
  expect((await listAccountOverviews(database, filter)).rows).toEqual([]);
});

test('it begins once, also when two ask at once', async () => {
  expect((await Promise.all([begin(), begin()])).sort()).toEqual([false, true]);
  const rows = await fixture().query(`SELECT 1 FROM audit_log WHERE account_id = $1 AND action = 'account.erased'`, [
    tenant.accountId,
  ]);
  expect(rows).toHaveLength(1);
});

test('several processes may continue it at once, and a later call changes nothing', async () => {
  await begin();
  await logOut();
  const left = await Promise.all([go(), go(), go()]);
  expect(left.some(({ done }) => done)).toBe(true);
  expect(await go()).toMatchObject({ done: true });
  expect(await fixture().taken(tenant.accountId)).toEqual([1]);
  expect(await findEverywhere(fixture(), mark)).toEqual([]);
});

test('a run that dies at any statement is ended by the next one', async () => {
  await begin();
  await logOut();
  for (let statements = 1; ; statements++) {
    const { database } = fixture();
    const pool = Object.create(database.pool) as typeof database.pool;
    let left = statements;
    pool.query = ((...args: Parameters<typeof pool.query>) => {
      if (--left < 0) throw new Error('killed');
      return database.pool.query(...args);
    }) as typeof pool.query;
    const dying = { ...database, pool };
    const ended = await continueAccountErasure(dying, tenant.accountId, { settlingMs: 0 }).catch(() => null);
    if (ended?.done === true) break;
    expect(statements).toBeLessThan(200);
  }
  expect(await findEverywhere(fixture(), mark)).toEqual([]);
  expect(await fixture().taken(tenant.accountId)).toEqual([1]);
});

test('with force, a device that no worker logs out goes too, and its worker may write nothing more', async () => {
  await begin();
  await fixture().query(
    `UPDATE messages SET status = 'sending', attempts = 1, epoch = 1 WHERE account_id = $1 AND stage = 0`,
    [tenant.accountId],
  );
  expect(await go(true)).toMatchObject({ done: true });
  expect(await writeUnlinked(fixture().database, tenant.holder, 'disconnected', null)).toBe(false);
  expect(await findEverywhere(fixture(), mark)).toEqual([]);
});

test('the sweep ends what was begun, and unlinks by force after a day', async () => {
  await begin();
  expect(await continueErasures(fixture().database, signal)).toBe(0);
  await fixture().query(`UPDATE accounts SET erasure_begun_at = now() - interval '25 hours' WHERE id = $1`, [
    tenant.accountId,
  ]);
  expect(await continueErasures(fixture().database, signal)).toBe(1);
  expect(await readErasureState(fixture().database, tenant.accountId)).toBe('erased');
});

test('before an api can have forgotten its keys, the erasure does not end', async () => {
  await begin();
  await logOut();
  expect(await continueAccountErasure(fixture().database, tenant.accountId)).toEqual({
    done: false,
    linked: 0,
    ending: 0,
  });
});

test('a message of an api that still knew the key is refused after the end, and makes no new data key', async () => {
  await begin();
  await logOut();
  await go();
  const keys = createAccountKeys(fixture().database, sealer);
  await expect(acceptTogether(fixture().database, keys, [messageOf(tenant)])).rejects.toThrow('no readable key');
  expect(await fixture().query('SELECT 1 FROM account_keys WHERE account_id = $1', [tenant.accountId])).toEqual([]);
  const [outcome] = await acceptTogether(fixture().database, fixture().accountKeys, [messageOf(tenant)]);
  expect(outcome).toEqual({ kind: 'refused', code: 'DEVICE_NOT_FOUND' });
});

test('a member of an erased account gets no second trial', async () => {
  await begin();
  const { memberships } = await ensureMemberships(fixture().database, { id: world.userId as never, name: 'Budi' }, 100);
  const accountId = present(memberships[0]).accountId;
  expect(accountId).not.toBe(tenant.accountId);
  expect(await fixture().taken(accountId)).toEqual([]);
});
