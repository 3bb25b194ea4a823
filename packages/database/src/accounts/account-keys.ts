/**
 * The keys of each account, sealed under the master key. Numbered data keys seal its contents. Its fingerprint key is
 * derived from its first readable data key. If an account's data keys are erased, nobody can read its contents.
 *
 * An account without a data key gets one, which is committed before it seals anything. Processes reserve contents in
 * blocks. After the last block of a key, or if its newest key cannot be opened, the account gets the next key. If two
 * processes make the same key at once, both use the one that was stored first.
 */
import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import type { AccountId } from '@kurir/contracts';
import { LRUCache } from 'lru-cache';
import type { Database } from '../postgres/connect.js';
import { RecordUnreadable, type Sealer } from '../postgres/sealer.js';
import { readUpgradeWindow } from '../postgres/upgrade-window.js';
import type { FingerprintVersion } from './fingerprint.js';

export type FingerprintKeys = {
  readonly fingerprintKey: KeyObject;
  /** Fingerprints are stored in this version from now on. */
  readonly fingerprintVersion: FingerprintVersion;
};

export type SealingKeys = FingerprintKeys & {
  /** The number of the data key, from 1. */
  readonly number: number;
  readonly dataKey: KeyObject;
};

export type DataKeyName = { readonly accountId: AccountId; readonly number: number };

export type AccountKeys = {
  /** The keys of each account, with room for this many more contents. */
  sealing(counts: ReadonlyMap<AccountId, number>): Promise<ReadonlyMap<AccountId, SealingKeys>>;
  fingerprinting(accountId: AccountId): Promise<FingerprintKeys>;
  /** Looks data keys up by name. The lookup returns null for a key that is not stored or cannot be opened. */
  opening(names: readonly DataKeyName[]): Promise<(name: DataKeyName) => KeyObject | null>;
};

/** AES-GCM with random nonces allows twice as many under one key. */
const contentsPerKey = 2 ** 31;
const reservedAtOnce = 2 ** 16;
const mostCached = 10_000;

type SealedKey = { number: number; sealed: Buffer };
type ReservedKeys = Omit<SealingKeys, 'fingerprintVersion'>;

type KeyPlace = { readonly accountId: string; readonly number: number };

export const accountKeyAad = ({ accountId, number }: KeyPlace) => `account_key|${accountId}|${number}`;
const nameOf = ({ accountId, number }: DataKeyName) => `${accountId} ${number}`;

/** All data keys of an account, oldest first. */
async function readKeysOf({ pool }: Database, accountId: AccountId): Promise<SealedKey[]> {
  const { rows } = await pool.query<SealedKey>({
    name: 'read-keys-of-account',
    text: `SELECT number, sealed FROM account_keys WHERE account_id = $1 ORDER BY number`,
    values: [accountId],
  });
  return rows;
}

/** Returns false if the key has no room for `count` more contents, or is not stored. */
async function reserve({ pool }: Database, { accountId, number }: DataKeyName, count: number): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'reserve-contents',
    text: `UPDATE account_keys SET reserved = reserved + $3 WHERE account_id = $1 AND number = $2 AND reserved + $3 <= $4`,
    values: [accountId, number, count, contentsPerKey],
  });
  return rowCount === 1;
}

/** Does nothing if another process has already stored the key, or if the account is being erased. */
async function make({ pool }: Database, sealer: Sealer, name: DataKeyName): Promise<void> {
  await pool.query({
    name: 'make-account-key',
    text: `INSERT INTO account_keys (account_id, number, sealed)
           SELECT id, $2::int, $3::bytea FROM accounts WHERE id = $1 AND erasure_begun_at IS NULL ON CONFLICT DO NOTHING`,
    values: [name.accountId, name.number, sealer.seal(randomBytes(32), accountKeyAad(name))],
  });
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

/** Returns null if the key is damaged or sealed under another master key. */
function openKey(sealer: Sealer, name: DataKeyName, sealed: Buffer): KeyObject | null {
  try {
    return createSecretKey(sealer.open(sealed, accountKeyAad(name)));
  } catch (error) {
    if (error instanceof RecordUnreadable) return null;
    throw error;
  }
}

/** Two processes may each make a key that the other cannot open. More than that is a fault. */
const mostMade = 3;

/** Reserves contents under the account's newest readable key. Makes a key if there is none. */
async function reserveKeys(
  database: Database,
  sealer: Sealer,
  accountId: AccountId,
  block: number,
): Promise<ReservedKeys> {
  for (let made = 0; made <= mostMade; made++) {
    const stored = await readKeysOf(database, accountId);
    const readable = stored.flatMap(({ number, sealed }) => {
      const dataKey = openKey(sealer, { accountId, number }, sealed);
      return dataKey === null ? [] : [{ number, dataKey }];
    });
    const [first, newest] = [readable[0], readable.at(-1)];
    const newestNumber = stored.at(-1)?.number ?? 0;
    if (first !== undefined && newest !== undefined && newest.number === newestNumber)
      if (await reserve(database, { accountId, number: newest.number }, block))
        return { ...newest, fingerprintKey: fingerprintKeyOf(first.dataKey) };
    await make(database, sealer, { accountId, number: newestNumber + 1 });
  }
  throw new Error(`account ${accountId} gets no readable key`);
}

export function createAccountKeys(database: Database, sealer: Sealer, { cached = mostCached } = {}): AccountKeys {
  const current = new LRUCache<AccountId, ReservedKeys & { left: number }>({ max: cached });
  const dataKeys = new LRUCache<string, KeyObject>({ max: cached });
  /** Until then, on the monotonic clock, apis of the earlier version may read our fingerprints. */
  let oldUntil: number | null = null;

  // After a failover, the newest keys may be missing.
  const forget = () => {
    current.clear();
    dataKeys.clear();
  };
  database.pool.on('error', forget);
  database.pool.on('connect', (client) => client.on('error', forget));

  async function take(accountId: AccountId, count: number): Promise<SealingKeys> {
    oldUntil ??= performance.now() + ((await readUpgradeWindow(database))?.leftMs ?? 0);
    const fingerprintVersion = performance.now() < oldUntil ? 0 : 1;
    let keys = current.get(accountId);
    if (keys === undefined || keys.left < count) {
      const block = Math.max(count, reservedAtOnce);
      keys = { ...(await reserveKeys(database, sealer, accountId, block)), left: block };
      current.set(accountId, keys);
    }
    keys.left -= count;
    return { ...keys, fingerprintVersion };
  }

  return {
    async sealing(counts) {
      const taken = [...counts].map(async ([accountId, count]) => [accountId, await take(accountId, count)] as const);
      return new Map(await Promise.all(taken));
    },
    fingerprinting: (accountId) => take(accountId, 0),
    async opening(names) {
      const known = new Map(names.map((name) => [nameOf(name), dataKeys.get(nameOf(name)) ?? null]));
      const missing = names.filter((name) => known.get(nameOf(name)) === null);
      for (const { sealed, ...name } of missing.length === 0 ? [] : await readKeys(database, missing)) {
        const key = openKey(sealer, name, sealed);
        known.set(nameOf(name), key);
        if (key !== null) dataKeys.set(nameOf(name), key);
      }
      return (name) => known.get(nameOf(name)) ?? null;
    },
  };
}
