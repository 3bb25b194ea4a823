import { limits, newId } from '@kurir/contracts';
import { beforeEach, describe, expect, test } from 'vitest';
import { everyContact } from '../../test/contact-changes.js';
import { type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { changeContact, deleteContact, type ContactChange, saveContact } from './change-contact.js';
import { changeLists } from './change-lists.js';
import { type ContactFilter, listContacts, readContact, readLists } from './read-contacts.js';

const fixture = useDatabaseFixture();
let tenant: Tenant;
beforeEach(async () => {
  tenant = await fixture().tenant();
});

async function save(phone: string, change: ContactChange = {}, { accountId } = tenant) {
  const saved = await saveContact(fixture().database, accountId, { phone, change });
  if (saved === 'too-many-attributes') throw new Error(saved);
  return saved;
}

const find = async (filter: Partial<ContactFilter> = {}, { accountId } = tenant) => {
  const page = { ...everyContact, ...filter, limit: 100, cursor: null };
  return (await listContacts(fixture().database, accountId, page)).contacts.map(({ phone }) => phone);
};

test('a number is one contact of an account, however many save it at once', async () => {
  const saved = await Promise.all(Array.from({ length: 8 }, (_none, i) => save('6281234567890', { name: `n${i}` })));
  expect(saved.filter(({ created }) => created)).toHaveLength(1);
  expect(new Set(saved.map(({ contact }) => contact.id)).size).toBe(1);
  const other = await fixture().tenant();
  expect(await save('6281234567890', {}, other)).toMatchObject({ created: true, contact: { name: null } });
});

test('a field that is left out stays, and null clears it', async () => {
  const at = new Date('2026-11-01T00:00:00.000Z');
  const full = {
    name: 'Budi',
    locale: 'id',
    timeZone: 'Asia/Jakarta',
    attributes: { kota: 'Bandung', umur: '30' },
    lists: ['vip', 'promo', 'vip'],
    consent: { source: 'Checkout', at },
  };
  const { contact } = await save('6281234567890', full);
  expect(contact).toMatchObject({ name: 'Budi', lists: ['promo', 'vip'], consentSource: 'Checkout', consentAt: at });
  const which = { accountId: tenant.accountId, contactId: contact.id };
  const changed = await changeContact(fixture().database, which, { locale: null, attributes: { umur: null, x: 'y' } });
  expect(changed).toMatchObject({ name: 'Budi', locale: null, timeZone: 'Asia/Jakarta', consentAt: at });
  expect(changed).toMatchObject({ attributes: { kota: 'Bandung', x: 'y' }, lists: ['promo', 'vip'] });
  expect(await changeContact(fixture().database, which, { consent: null })).toMatchObject({ consentAt: null });
  expect((await save('6281234567890', { consent: { source: 'Form', at: null } })).contact.consentAt).not.toBeNull();
});

test('a contact has at most fifty attributes, and a refused one is not created', async () => {
  const many = Object.fromEntries(Array.from({ length: limits.attributesMax + 1 }, (_none, i) => [`k${i}`, 'v']));
  const given = { phone: '6281234567890', change: { attributes: many } };
  expect(await saveContact(fixture().database, tenant.accountId, given)).toBe('too-many-attributes');
  expect((await save('6281234567891', { attributes: { k0: 'v' } })).created).toBe(true);
});

describe('a list of contacts', () => {
  beforeEach(async () => {
    await save('6281200000001', { name: 'Budi 100%', lists: ['promo'], locale: 'id', attributes: { kota: 'Bandung' } });
    await save('6281200000002', { name: 'Siti', lists: ['promo', 'vip'], consent: { source: 'x', at: null } });
    await save('6281200000003', { attributes: { kota: 'Jakarta' } });
    await save('6281200000001', { name: 'Other' }, await fixture().tenant());
  });

  test.each<[string, Partial<ContactFilter>, string[]]>([
    ['without a filter', {}, ['3', '2', '1']],
    ['by list', { list: 'promo' }, ['2', '1']],
    ['by a list that nobody is in', { list: 'none' }, []],
    ['by attribute', { attribute: { key: 'kota', value: 'Jakarta' } }, ['3']],
    ['by locale', { locale: 'id' }, ['1']],
    ['with consent', { hasConsent: true }, ['2']],
    ['without consent', { hasConsent: false }, ['3', '1']],
    ['by number', { phone: '6281200000002' }, ['2']],
    ['by a part of the name', { search: 'bUd' }, ['1']],
    ['by a part of the number', { search: '0812-0000 0002' }, ['2']],
    ['by a sign that means all names in SQL', { search: '%' }, ['1']],
    ['by several at once', { list: 'promo', search: 'siti' }, ['2']],
  ])('%s', async (_name, filter, last) => {
    expect(await find(filter)).toEqual(last.map((digit) => `628120000000${digit}`));
  });

  test('comes in pages', async () => {
    const page = { ...everyContact, limit: 2, cursor: null };
    const first = await listContacts(fixture().database, tenant.accountId, page);
    const second = await listContacts(fixture().database, tenant.accountId, { ...page, cursor: first.nextCursor });
    expect([first, second].map(({ contacts }) => contacts.length)).toEqual([2, 1]);
    expect(second.nextCursor).toBeNull();
  });

  test('comes by name, page by page, and those without a name come last', async () => {
    const other = await fixture().tenant();
    await save('6281299999999', { name: 'Aaa' }, other);
    const { accountId } = await fixture().tenant();
    for (const [phone, name] of [
      ['6281200000004', null],
      ['6281200000001', 'siti'],
      ['6281200000002', 'Budi'],
      ['6281200000003', 'budi'],
    ] as const)
      await saveContact(fixture().database, accountId, { phone, change: { name } });
    const seen: (string | null)[] = [];
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const page = await listContacts(fixture().database, accountId, {
        ...everyContact,
        sort: 'name',
        limit: 1,
        cursor,
      });
      seen.push(...page.contacts.map(({ name }) => name));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(['Budi', 'budi', 'siti', null]);
  });

  test('has names of lists with counts', async () => {
    expect(await readLists(fixture().database, tenant.accountId)).toEqual([
      { name: 'promo', contacts: 2 },
      { name: 'vip', contacts: 1 },
    ]);
  });

  test('is added to lists and removed from them, once', async () => {
    const { database } = fixture();
    const change = { add: ['all', 'promo'], remove: ['vip'] };
    expect(await changeLists(database, tenant.accountId, everyContact, change)).toEqual({ changed: 3, hasMore: false });
    expect(await changeLists(database, tenant.accountId, everyContact, change)).toEqual({ changed: 0, hasMore: false });
    expect(await readLists(database, tenant.accountId)).toEqual([
      { name: 'all', contacts: 3 },
      { name: 'promo', contacts: 3 },
    ]);
    const none = { add: [], remove: ['all'] };
    expect((await changeLists(database, tenant.accountId, { ...everyContact, list: 'all' }, none)).changed).toBe(3);
    expect(await find({ list: 'all' })).toEqual([]);
  });
});

test('more contacts than one call changes are left for the next call', async () => {
  await fixture().query(
    `INSERT INTO contacts (id, account_id, phone) SELECT 'con_' || $1 || n, $1, '62' || n FROM generate_series(1, $2) n`,
    [tenant.accountId, limits.changeListsMaxContacts + 1],
  );
  const change = () => changeLists(fixture().database, tenant.accountId, everyContact, { add: ['all'], remove: [] });
  expect(await change()).toEqual({ changed: limits.changeListsMaxContacts, hasMore: true });
  expect(await change()).toEqual({ changed: 1, hasMore: false });
});

test('another account can neither see, change nor delete a contact', async () => {
  const { contact } = await save('6281234567890', { name: 'Budi', lists: ['promo'] });
  const other = await fixture().tenant();
  const { database } = fixture();
  const which = { accountId: other.accountId, contactId: contact.id };
  expect(await readContact(database, other.accountId, contact.id)).toBeNull();
  expect(await changeContact(database, which, { name: 'x' })).toBeNull();
  expect(await deleteContact(database, which)).toBe(false);
  expect(await find({}, other)).toEqual([]);
  expect(await changeLists(database, other.accountId, everyContact, { add: ['x'], remove: [] })).toMatchObject({
    changed: 0,
  });
  expect(await readContact(database, tenant.accountId, contact.id)).toEqual(contact);
  expect(await deleteContact(database, { ...which, accountId: tenant.accountId })).toBe(true);
  expect(await readContact(database, tenant.accountId, newId('con'))).toBeNull();
});
