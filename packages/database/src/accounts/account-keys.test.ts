import { createSecretKey, randomBytes } from 'node:crypto';
import { type AccountId, newId } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import { present, sealer, useDatabaseFixture } from '../../test/database-fixture.js';
import { openDatabase } from '../postgres/connect.js';
import { createSealer } from '../postgres/sealer.js';
import { type AccountKeys, createAccountKeys } from './account-keys.js';

const fixture = useDatabaseFixture();

async function newAccount(): Promise<AccountId> {
  const accountId = newId('acc');
  await fixture().query(`INSERT INTO accounts (id, name) VALUES ($1, 'test')`, [accountId]);
  return accountId;
}

/** A key cache like that of another process. */
const newProcess = (): AccountKeys => createAccountKeys(fixture().database, sealer);

const sealing = async (keys: AccountKeys, accountId: AccountId, count = 1) =>
  present((await keys.sealing(new Map([[accountId, count]]))).get(accountId));

const stored = (accountId: AccountId) =>
  fixture().query<{ number: number; reserved: bigint }>(
    'SELECT number, reserved FROM account_keys WHERE account_id = $1 ORDER BY number',
    [accountId],
  );

test('processes that ask for an account’s first key at once share one key', async () => {
  const accountId = await newAccount();
  const all = await Promise.all(Array.from({ length: 8 }, () => sealing(newProcess(), accountId)));
  expect(new Set(all.map(({ dataKey }) => dataKey.export().toString('hex'))).size).toBe(1);
  expect(new Set(all.map(({ fingerprintKey }) => fingerprintKey.export().toString('hex'))).size).toBe(1);
  expect(await stored(accountId)).toMatchObject([{ number: 1 }]);
});

test('each account has its own keys', async () => {
  const [one, other] = [await newAccount(), await newAccount()];
  const keys = newProcess();
  const [ofOne, ofOther] = [await sealing(keys, one), await sealing(keys, other)];
  expect(ofOne.dataKey.equals(ofOther.dataKey)).toBe(false);
  expect(ofOne.fingerprintKey.equals(ofOther.fingerprintKey)).toBe(false);
});

test('an account whose keys cannot be opened gets a new key, and older contents stay unreadable', async () => {
  const accountId = await newAccount();
  await sealing(newProcess(), accountId);
  // A different master key.
  const stranger = createAccountKeys(fixture().database, createSealer(createSecretKey(randomBytes(32))));
  expect(await sealing(stranger, accountId)).toMatchObject({ number: 2 });
  const keyOf = await stranger.opening([1, 2].map((number) => ({ accountId, number })));
  expect(keyOf({ accountId, number: 1 })).toBeNull();
  expect(keyOf({ accountId, number: 2 })).not.toBeNull();
});

test('a key that a failover lost is not used after the connections broke', async () => {
  const accountId = await newAccount();
  const database = openDatabase({ url: fixture().url, poolSize: 2 });
  const keys = createAccountKeys(database, sealer);
  try {
    const before = await sealing(keys, accountId);
    await fixture().query('DELETE FROM account_keys WHERE account_id = $1', [accountId]);
    await fixture().query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    const after = await waitUntil(
      async () => {
        const now = await sealing(keys, accountId).catch(() => before);
        return now.dataKey.equals(before.dataKey) ? null : now;
      },
      { what: 'the account has another key' },
    );
    expect(after.number).toBe(1);
    expect(await stored(accountId)).toMatchObject([{ number: 1 }]);
  } finally {
    await database.close();
  }
});

test('keys are found even if the cache is small', async () => {
  const keys = createAccountKeys(fixture().database, sealer, { cached: 2 });
  const names = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const accountId = await newAccount();
      await sealing(keys, accountId);
      return { accountId, number: 1 };
    }),
  );
  for (let round = 0; round < 3; round++) {
    const opened = await Promise.all([keys.opening(names), keys.opening(names.toReversed())]);
    for (const keyOf of opened) expect(names.map((name) => keyOf(name) === null)).not.toContain(true);
  }
});

test('contents are reserved in blocks, and a key that has sealed enough is followed by the next', async () => {
  const accountId = await newAccount();
  const keys = newProcess();
  const first = await sealing(keys, accountId);
  await sealing(keys, accountId, 1_000);
  expect(await stored(accountId)).toEqual([{ number: 1, reserved: 65_536n }]);
  await fixture().query('UPDATE account_keys SET reserved = 2147483648 - 65536 WHERE account_id = $1', [accountId]);
  expect(await sealing(newProcess(), accountId)).toMatchObject({ number: 1 });
  const later = await sealing(newProcess(), accountId);
  expect(later.number).toBe(2);
  // Repeats are recognised under both keys.
  expect(later.fingerprintKey.equals(first.fingerprintKey)).toBe(true);
  const keyOf = await newProcess().opening([1, 2].map((number) => ({ accountId, number })));
  expect(keyOf({ accountId, number: 1 })?.equals(first.dataKey)).toBe(true);
  expect(keyOf({ accountId, number: 2 })?.equals(later.dataKey)).toBe(true);
});

test('a reservation may be larger than a block', async () => {
  const accountId = await newAccount();
  await sealing(newProcess(), accountId, 100_000);
  expect(await stored(accountId)).toEqual([{ number: 1, reserved: 100_000n }]);
});

test('while apis of the earlier version may run, fingerprints have their version', async () => {
  const accountId = await newAccount();
  const window = (ends: string) =>
    fixture().query(
      `INSERT INTO upgrade_windows (name, ends_at) VALUES ('message_contents', now() + $1::interval)
       ON CONFLICT (name) DO UPDATE SET ends_at = excluded.ends_at`,
      [ends],
    );
  await window('1 hour');
  expect(await sealing(newProcess(), accountId)).toMatchObject({ fingerprintVersion: 0 });
  await window('-1 second');
  expect(await sealing(newProcess(), accountId)).toMatchObject({ fingerprintVersion: 1 });
  await fixture().query('DELETE FROM upgrade_windows');
});
