import { createSecretKey, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { createAccountKeys } from '../accounts/account-keys.js';
import { createSealer } from '../postgres/sealer.js';
import { admitMasterKey, keepMasterKeyAdmitted, noteRewrapped, readMasterKeys } from './admit-master-key.js';

const fixture = useDatabaseFixture();
const makeKey = () => createSecretKey(randomBytes(32));
const [present, next, other] = [makeKey(), makeKey(), makeKey()];
const audit = { accountId: null, actor: 'admin', action: 'master_key.rewrapped' } as const;

const admit = (...keys: Parameters<typeof createSealer>) => admitMasterKey(fixture().database, createSealer(...keys));
const empty = () => fixture().query('TRUNCATE master_keys, accounts CASCADE');
const silence = () => fixture().query(`UPDATE master_keys SET used_at = now() - interval '1 minute'`);

beforeEach(empty);
afterEach(empty);

async function storeBoxUnder(key: typeof present): Promise<void> {
  const { accountId } = await fixture().tenant();
  await fixture().query('DELETE FROM account_keys');
  await createAccountKeys(fixture().database, createSealer(key)).fingerprinting(accountId);
}

test('an empty database takes any key, and from then on no other one', async () => {
  expect(await admit(present)).toEqual([]);
  expect(await admit(present)).toEqual([]);
  const [fault] = await admit(other);
  expect(fault).toContain(createSealer(present).keyId);
  expect(fault).toContain(createSealer(other).keyId);
});

test('a refused key is not listed, so it refuses nobody else', async () => {
  await admit(present);
  await admit(other);
  expect(await admit(present)).toEqual([]);
});

test('of two processes that start at once with different keys, one is refused', async () => {
  const faults = await Promise.all([admit(present), admit(other)]);
  expect(faults.filter((found) => found.length > 0)).toHaveLength(1);
});

test('a database of an earlier version, which lists no key, takes only the key that opens its boxes', async () => {
  await storeBoxUnder(present);
  expect(await admit(other)).toEqual([expect.stringContaining('does not open what the database holds')]);
  expect(await readMasterKeys(fixture().database)).toEqual([]);
  expect(await admit(next, present)).toEqual([]);
});

test('while a key is changed, processes with both keys start in either order, and those with one do not', async () => {
  await admit(present);
  expect(await admit(present, next)).toEqual([]);
  expect(await admit(next, present)).toEqual([]);
  expect(await admit(present)).toHaveLength(1);
  expect(await admit(next)).toHaveLength(1);
});

test('a running process that missed the change keeps its key listed, so that the key does not go', async () => {
  await admit(next);
  const old = createSealer(present);
  const faults = await admitMasterKey(fixture().database, old, 'running');
  expect(faults).toHaveLength(1);
  const listed = await readMasterKeys(fixture().database);
  expect(listed.find(({ id }) => id === old.keyId)).toMatchObject({ isInUse: true });
});

test('a row of the list that the given key only pretends to open is a fault', async () => {
  await admit(present);
  await fixture().query('UPDATE master_keys SET proof = substr(proof, 1, length(proof) - 1)');
  expect(await admit(present)).toHaveLength(1);
});

test('an old key leaves the list when no box needs it and no process seals with it', async () => {
  await admit(present);
  await silence();
  await admit(next, present);
  const sealer = createSealer(next, present);
  expect(await noteRewrapped(fixture().database, sealer, { isClean: false, audit })).toHaveLength(1);
  expect(await noteRewrapped(fixture().database, sealer, { isClean: true, audit })).toEqual([]);
  expect(await admit(next)).toEqual([]);
});

test('an old key stays in the list while a process seals with it', async () => {
  await admit(present);
  await admit(next, present);
  const needed = await noteRewrapped(fixture().database, createSealer(next, present), { isClean: true, audit });
  expect(needed).toEqual([createSealer(present).keyId]);
  expect(await admit(next)).toHaveLength(1);
});

test('a process that goes on with the old key lists it again, so that no start without it succeeds', async () => {
  const faults: string[] = [];
  const stop = keepMasterKeyAdmitted(fixture().database, createSealer(present, next), {
    everyMs: 5,
    onFault: (fault) => void faults.push(fault),
    onError: (error) => void faults.push(String(error)),
  });
  try {
    await expect
      .poll(() => readMasterKeys(fixture().database))
      .toEqual([{ id: createSealer(present).keyId, isInUse: true }]);
  } finally {
    stop();
  }
  expect(faults).toEqual([]);
  expect(await admit(next)).toHaveLength(1);
});

test('a running process that lacks a new key says so', async () => {
  await admit(present, next);
  await admit(next, present);
  const faults: string[] = [];
  const stop = keepMasterKeyAdmitted(fixture().database, createSealer(present), {
    everyMs: 5,
    onFault: (fault) => void faults.push(fault),
    onError: () => undefined,
  });
  await expect.poll(() => faults.length).toBeGreaterThan(0);
  stop();
  expect(faults[0]).toContain(createSealer(next).keyId);
});
