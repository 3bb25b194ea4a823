/**
 * Each account's own keys, sealed under the master key: numbered data keys for its contents, and a key for its fingerprints,
 * which is derived from its first data key. Whoever erases an account's data keys erases its contents.
 *
 * An account without a data key gets one, committed before anything is sealed under it. A data key seals at most 2^31
 * contents: processes reserve contents in blocks, and after the last block the account gets the next key. Two processes that
 * make the same key at once use the one that was stored first.
 */
import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import type { AccountId } from '@kurir/contracts';
import { LRUCache } from 'lru-cache';
import type { Database } from './connect.js';
import type { FingerprintVersion } from './fingerprint.js';
import { RecordUnreadable, type Sealer } from './sealer.js';
import { readUpgradeWindow } from './upgrade-window.js';

export type FingerprintKeys = {
  readonly fingerprintKey: KeyObject;
  /** Of the fingerprints to be stored. */
  readonly fingerprintVersion: FingerprintVersion;
};

export type SealingKeys = FingerprintKeys & {
  /** Of the data key, from 1. */
  readonly number: number;
  readonly dataKey: KeyObject;
};

export type DataKeyName = { readonly accountId: AccountId; readonly number: number };

export type AccountKeys = {
  /** The keys of each account for so many contents more. */
  sealing(counts: ReadonlyMap<AccountId, number>): Promise<ReadonlyMap<AccountId, SealingKeys>>;
  fingerprinting(accountId: AccountId): Promise<FingerprintKeys>;
  /** A data key by its name; null where it is not stored, or cannot be opened. */
  opening(names: readonly DataKeyName[]): Promise<(name: DataKeyName) => KeyObject | null>;
};

/** AES-GCM with random nonces allows 2^32 under one key. */
const contentsPerKey = 2 ** 31;
const reservedAtOnce = 2 ** 16;
const mostCached = 10_000;

type SealedKey = { number: number; sealed: Buffer };

const aadOf = ({ accountId, number }: DataKeyName) => `account_key|${accountId}|${number}`;
const nameOf = ({ accountId, number }: DataKeyName) => `${accountId} ${number}`;

/** Of the account's newest data key; null when it has none with so many contents left. */
async function reserve({ pool }: Database, accountId: AccountId, count: number): Promise<SealedKey | null> {
  const { rows } = await pool.query<SealedKey>({
    name: 'reserve-contents',
    text: `UPDATE account_keys SET reserved = reserved + $2
           WHERE account_id = $1 AND reserved + $2 <= $3
             AND number = (SELECT max(newest.number) FROM account_keys newest WHERE newest.account_id = $1)
           RETURNING number, sealed`,
    values: [accountId, count, contentsPerKey],
  });
  return rows[0] ?? null;
}

/** The account's next data key, unless another process makes it at the same time. */
async function makeNext({ pool }: Database, sealer: Sealer, accountId: AccountId): Promise<void> {
  const { rows } = await pool.query<{ next: number }>({
    name: 'read-next-account-key',
    text: `SELECT coalesce(max(number), 0)::int + 1 AS next FROM account_keys WHERE account_id = $1`,
    values: [accountId],
  });
  const number = rows[0]?.next ?? 1;
  await pool.query({
    name: 'make-account-key',
    text: `INSERT INTO account_keys (account_id, number, sealed) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    values: [accountId, number, sealer.seal(randomBytes(32), aadOf({ accountId, number }))],
  });
}

async function reserveOrMake(database: Database, sealer: Sealer, accountId: AccountId, count: number) {
  for (;;) {
    const reserved = await reserve(database, accountId, count);
    if (reserved !== null) return reserved;
    await makeNext(database, sealer, accountId);
  }
}

async function readKeys({ pool }: Database, names: readonly DataKeyName[]): Promise<(DataKeyName & SealedKey)[]> {
  const { rows } = await pool.query<DataKeyName & SealedKey>({
    name: 'read-account-keys',
    text: `SELECT k.account_id AS "accountId", k.number, k.sealed FROM account_keys k
           JOIN unnest($1::text[], $2::int[]) AS asked (account_id, number) USING (account_id, number)`,
    values: [names.map(({ accountId }) => accountId), names.map(({ number }) => number)],
  });
  return rows;
}

function fingerprintKeyOf(firstDataKey: KeyObject): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', firstDataKey.export(), '', 'kurir fingerprints', 32)));
}

export function createAccountKeys(database: Database, sealer: Sealer): AccountKeys {
  const current = new LRUCache<AccountId, Omit<SealingKeys, 'fingerprintVersion'> & { left: number }>({
    max: mostCached,
  });
  const dataKeys = new LRUCache<string, KeyObject>({ max: mostCached });
  /** By the monotonic clock: until then apis of the earlier version may read our fingerprints. */
  let oldUntil: number | null = null;

  function remember(name: DataKeyName, sealed: Buffer): KeyObject {
    const key = createSecretKey(sealer.open(sealed, aadOf(name)));
    dataKeys.set(nameOf(name), key);
    return key;
  }

  /** One that cannot be opened does not hold up the others. */
  function rememberReadable(name: DataKeyName, sealed: Buffer): void {
    try {
      remember(name, sealed);
    } catch (error) {
      if (!(error instanceof RecordUnreadable)) throw error;
    }
  }

  async function keyOf(name: DataKeyName): Promise<KeyObject> {
    const known = dataKeys.get(nameOf(name));
    if (known !== undefined) return known;
    const [row] = await readKeys(database, [name]);
    if (row === undefined) throw new Error(`the first key of account ${name.accountId} is not stored`);
    return remember(name, row.sealed);
  }

  async function renew(accountId: AccountId, count: number) {
    const block = Math.max(count, reservedAtOnce);
    const { number, sealed } = await reserveOrMake(database, sealer, accountId, block);
    const dataKey = remember({ accountId, number }, sealed);
    const fingerprintKey = fingerprintKeyOf(await keyOf({ accountId, number: 1 }));
    const keys = { number, dataKey, fingerprintKey, left: block };
    current.set(accountId, keys);
    return keys;
  }

  async function take(accountId: AccountId, count: number): Promise<SealingKeys> {
    oldUntil ??= performance.now() + ((await readUpgradeWindow(database))?.leftMs ?? 0);
    const fingerprintVersion = performance.now() < oldUntil ? 0 : 1;
    const known = current.get(accountId);
    const keys = known !== undefined && known.left >= count ? known : await renew(accountId, count);
    keys.left -= count;
    return { ...keys, fingerprintVersion };
  }

  return {
    async sealing(counts) {
      const taken = new Map<AccountId, SealingKeys>();
      for (const [accountId, count] of counts) taken.set(accountId, await take(accountId, count));
      return taken;
    },
    fingerprinting: (accountId) => take(accountId, 0),
    async opening(names) {
      const missing = names.filter((name) => !dataKeys.has(nameOf(name)));
      const rows = missing.length === 0 ? [] : await readKeys(database, missing);
      for (const { accountId, number, sealed } of rows) rememberReadable({ accountId, number }, sealed);
      return (name) => dataKeys.get(nameOf(name)) ?? null;
    },
  };
}
