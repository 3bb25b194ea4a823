/** Every column with something sealed under the master key: how to find its rows, and what its boxes are bound to. */
import { accountKeyAad } from '../accounts/account-keys.js';
import { secretAad } from '../accounts/api-keys.js';
import { proxyAad } from '../devices/device-proxy.js';
import type { Database } from '../postgres/connect.js';
import type { Sealer } from '../postgres/sealer.js';
import { credentialAad } from '../sessions/credentials.js';
import { webhookSecretAad } from '../webhooks/webhook-secrets.js';

/** A box: bytes of our own, or text that better-auth has encrypted. */
export type Box = Uint8Array<ArrayBuffer> | string;
export type KeyValue = string | number;

export type SealedColumn = {
  readonly table: string;
  readonly column: string;
  readonly type: 'bytea' | 'text';
  /** The columns of the primary key, in its order. */
  readonly key: Readonly<Record<string, 'text' | 'int'>>;
  /** SQL over the row `t`: one more id that the name needs. */
  readonly more?: string;
  /** SQL: the id of the master key that the box names. Null if it names none, as boxes of earlier versions. */
  readonly keyId: string;
  /** Names the row for people, with ids only. Gets the values of `key` and `more`. */
  name(...values: readonly KeyValue[]): string;
  /** Returns the box under the key that seals. Returns null if no key opens it. */
  rewrap(box: Box, name: string): Promise<Box | null> | Box | null;
};

type Place = Pick<SealedColumn, 'table' | 'column' | 'key' | 'more' | 'name'>;

const places: readonly Place[] = [
  {
    table: 'api_key_secrets',
    column: 'sealed',
    key: { key_id: 'text', version: 'int' },
    more: '(SELECT account_id FROM api_keys WHERE id = t.key_id)',
    name: (keyId, version, accountId) => secretAad(String(accountId), String(keyId), Number(version)),
  },
  {
    table: 'webhook_secrets',
    column: 'sealed',
    key: { webhook_id: 'text', version: 'int' },
    more: '(SELECT account_id FROM webhooks WHERE id = t.webhook_id)',
    name: (webhookId, version, accountId) => webhookSecretAad(String(accountId), String(webhookId), Number(version)),
  },
  {
    table: 'account_keys',
    column: 'sealed',
    key: { account_id: 'text', number: 'int' },
    name: (accountId, number) => accountKeyAad({ accountId: String(accountId), number: Number(number) }),
  },
  {
    table: 'devices',
    column: 'proxy_sealed',
    key: { id: 'text' },
    name: (deviceId) => proxyAad(String(deviceId)),
  },
  {
    table: 'device_credentials',
    column: 'sealed',
    key: { device_id: 'text', kind: 'text', id: 'text' },
    name: (deviceId, kind, id) => credentialAad(String(deviceId), String(kind), String(id)),
  },
];

/** The columns whose boxes the sealer makes. The name of a row is the associated data of its box. */
export function sealerColumns(sealer: Sealer): SealedColumn[] {
  return places.map((place) => ({
    ...place,
    type: 'bytea',
    keyId: `CASE WHEN substr(${place.column}, 1, 1) = '\\x03' THEN encode(substr(${place.column}, 2, 4), 'hex') END`,
    rewrap: (box, name) => (typeof box === 'string' ? null : sealer.rewrap(box, name)),
  }));
}

/** The columns that better-auth encrypts. It names a key by a number: the id of our key, read as one. */
export function twoFactorColumns(rewrap: (box: string) => Promise<string | null>): SealedColumn[] {
  return ['secret', 'backup_codes'].map((column) => ({
    table: 'two_factors',
    column,
    type: 'text',
    key: { id: 'text' },
    keyId: `CASE WHEN ${column} LIKE '$ba$%' THEN lpad(to_hex(split_part(${column}, '$', 3)::bigint), 8, '0') END`,
    name: (id) => `two_factors|${id}|${column}`,
    rewrap: (box) => (typeof box === 'string' ? rewrap(box) : null),
  }));
}

/** A secret of an authenticator that names no key. Null if there is none. */
export async function readUnnamedTwoFactorBox({ pool }: Database): Promise<string | null> {
  const { rows } = await pool.query<{ secret: string }>(
    `SELECT secret FROM two_factors WHERE secret NOT LIKE '$ba$%' LIMIT 1`,
  );
  return rows[0]?.secret ?? null;
}
