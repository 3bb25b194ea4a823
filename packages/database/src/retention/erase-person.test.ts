import { type AccountId, newId, type UserId } from '@kurir/contracts';
import { beforeEach, expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { findEverywhere } from '../../test/find-everywhere.js';
import { noteReading } from '../accounts/audit.js';
import { writeInvitation } from '../accounts/invitations.js';
import { keepMail } from '../accounts/kept-mails.js';
import { addMember, ensureMemberships } from '../accounts/members.js';
import { ensurePerson } from '../accounts/people.js';
import { continueAccountErasure, readErasureState } from './erase-account.js';
import { countPerson, erasePerson } from './erase-person.js';

const fixture = useDatabaseFixture();
let email: string;
let userId: UserId;

const newPerson = async (address: string) =>
  ensurePerson(fixture().database, { email: address, name: `Sri ${address}`, passwordHash: 'x', isAdmin: false });

/** Everything that better-auth and we hold about the person. */
async function plant(): Promise<void> {
  const { query } = fixture();
  const at = `now() + interval '1 hour'`;
  await query.call(
    fixture(),
    `INSERT INTO sessions (id, user_id, token, expires_at, ip_address, user_agent)
    VALUES ($1, $2, $1, ${at}, '198.51.100.7', $3)`,
    [newId('idn'), userId, `Firefox ${email}`],
  );
  await query.call(fixture(), `INSERT INTO two_factors (id, user_id, secret, backup_codes) VALUES ($1, $2, $3, 'b')`, [
    newId('idn'),
    userId,
    email,
  ]);
  await query.call(
    fixture(),
    `INSERT INTO passkeys (id, user_id, name, public_key, credential_id, counter, device_type, backed_up)
    VALUES ($1, $2, $3, 'k', 'c', 0, 'd', false)`,
    [newId('idn'), userId, `Phone of ${email}`],
  );
  await query.call(
    fixture(),
    `INSERT INTO verifications (id, identifier, value, expires_at) VALUES ($1, 'hash', $2, ${at})`,
    [newId('idn'), userId],
  );
  const audit = { accountId: null, actor: userId, action: 'session.began', address: '203.0.113.7' } as const;
  await noteReading(fixture().database, audit);
  await keepMail(fixture().database, { recipient: email, subject: 'Reset', text: 'link', html: 'link' });
  const { accountId } = await fixture().tenant();
  await writeInvitation(fixture().database, { accountId, email, role: 'viewer' });
}

beforeEach(async () => {
  email = `${newId('usr').slice(4)}@example.com`;
  userId = await newPerson(email);
});

const erase = () => erasePerson(fixture().database, email.toUpperCase(), { actor: 'admin' });
const countOf = (role: string, accountId: AccountId) =>
  addMember(fixture().database, accountId, userId, role as 'owner');

test('a person is found nowhere in the database after the erasure', async () => {
  await plant();
  expect(await countPerson(fixture().database, email)).toEqual({
    person: 1,
    memberships: 0,
    sessions: 1,
    passkeys: 1,
    invitations: 1,
    mails: 1,
  });
  expect(await erase()).toEqual({ kind: 'erased', userId, accounts: [] });
  expect(await findEverywhere(fixture(), email)).toEqual([]);
  // Only rows of the audit log name the id, and none has an address.
  const left = await findEverywhere(fixture(), userId);
  expect(left.toSorted()).toEqual([
    expect.stringMatching(/^audit_log: .*session\.began/),
    expect.stringMatching(/^audit_log: .*person\.erased/),
  ]);
});

test('a second run erases nothing and adds no row to the audit log', async () => {
  await plant();
  await erase();
  expect(await erase()).toEqual({ kind: 'erased', userId: null, accounts: [] });
  const rows = await fixture().query(
    `SELECT 1 FROM audit_log WHERE action = 'person.erased' AND subject IS NOT DISTINCT FROM $1`,
    [userId],
  );
  expect(rows).toHaveLength(1);
});

test('two runs at once erase the person once', async () => {
  await plant();
  const ends = await Promise.all([erase(), erase()]);
  expect(ends.filter((end) => end.kind === 'erased' && end.userId === userId)).toHaveLength(1);
});

test('somebody who never signed up has an invitation and mails, and they go', async () => {
  email = `guest-${email}`;
  const { accountId } = await fixture().tenant();
  await writeInvitation(fixture().database, { accountId, email, role: 'viewer' });
  expect(await erase()).toEqual({ kind: 'erased', userId: null, accounts: [] });
  expect(await findEverywhere(fixture(), email)).toEqual([]);
});

test('the last owner of an account with another member stays, and so does everything else', async () => {
  const { accountId } = await fixture().tenant();
  await countOf('owner', accountId);
  await addMember(fixture().database, accountId, await newPerson(`b-${email}`), 'viewer');
  const expected = { kind: 'last-owner', accounts: [{ accountId, name: 'test', lonely: false }] };
  expect(await erase()).toEqual(expected);
  expect(await countPerson(fixture().database, email)).toMatchObject({ person: 1, memberships: 1 });
});

test('the only person of an account with a device stays', async () => {
  const { accountId } = await fixture().tenant();
  await countOf('owner', accountId);
  expect(await erase()).toMatchObject({ kind: 'last-owner' });
});

test('one of two owners goes, and the account is told by its audit log', async () => {
  const { accountId } = await fixture().tenant();
  await countOf('owner', accountId);
  await addMember(fixture().database, accountId, await newPerson(`b-${email}`), 'owner');
  expect(await erase()).toMatchObject({ kind: 'erased' });
  const rows = await fixture().query('SELECT action, subject FROM audit_log WHERE account_id = $1', [accountId]);
  expect(rows).toEqual([{ action: 'member.removed', subject: userId }]);
});

test('an account in which only the person is and nothing lives is erased with the person', async () => {
  const {
    memberships: [own],
  } = await ensureMemberships(fixture().database, { id: userId, name: `Sri ${email}` }, 100);
  if (own === undefined) throw new Error('no account');
  expect(await erase()).toEqual({ kind: 'erased', userId, accounts: [own.accountId] });
  expect(await findEverywhere(fixture(), email)).toEqual([]);
  await continueAccountErasure(fixture().database, own.accountId, { settlingMs: 0 });
  expect(await readErasureState(fixture().database, own.accountId)).toBe('erased');
});

test('of two last owners who are erased at once, one stays', async () => {
  const { accountId } = await fixture().tenant();
  await countOf('owner', accountId);
  const other = `b-${email}`;
  await addMember(fixture().database, accountId, await newPerson(other), 'owner');
  const ends = await Promise.all([erase(), erasePerson(fixture().database, other, { actor: 'admin' })]);
  expect(ends.map(({ kind }) => kind).sort()).toEqual(['erased', 'last-owner']);
});

test('nobody is erased when the audit log refuses the row', async () => {
  await plant();
  await expect(erasePerson(fixture().database, email, { actor: null as never })).rejects.toThrow();
  expect(await countPerson(fixture().database, email)).toMatchObject({ person: 1, sessions: 1, invitations: 1 });
});
