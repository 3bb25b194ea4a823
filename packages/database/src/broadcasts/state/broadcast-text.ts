/** The sealed parts of a broadcast: its text, and the values of each recipient. */
import type { KeyObject } from 'node:crypto';
import { type AccountId, type BroadcastId, type ParsedTemplate, parseTemplate, type Values } from '@kurir/contracts';
import { open, seal } from '@kurir/signing';
import type { AccountKeys, DataKeyName, SealingKeys } from '../../accounts/account-keys.js';
import type { Database } from '../../postgres/connect.js';

export type BroadcastText = { readonly text: string; readonly footer: string | null };

export type Sealed = { readonly keyNumber: number; readonly sealed: Buffer };
type MaybeSealed = { readonly keyNumber: number | null; readonly sealed: Buffer | null };

const sealJson = ({ number, dataKey }: SealingKeys, aad: string, value: unknown): Sealed => ({
  keyNumber: number,
  sealed: seal(dataKey, JSON.stringify(value), aad),
});

function openJson(keyOf: KeyOf, accountId: AccountId, aad: string, { keyNumber, sealed }: MaybeSealed): unknown {
  if (keyNumber === null || sealed === null) return null;
  const key = keyOf({ accountId, number: keyNumber });
  const json = key === null ? null : open(key, sealed, aad);
  return json === null ? null : JSON.parse(json.toString('utf8'));
}

export type KeyOf = (name: DataKeyName) => KeyObject | null;

const aadOfValues = (id: BroadcastId, position: number) => `${id}|${position}`;

export const sealText = (keys: SealingKeys, id: BroadcastId, text: BroadcastText): Sealed => sealJson(keys, id, text);

export const sealValues = (keys: SealingKeys, id: BroadcastId, position: number, values: Values): Sealed =>
  sealJson(keys, aadOfValues(id, position), values);

type Row = MaybeSealed & { readonly id: BroadcastId; readonly accountId: AccountId };

/** Null: erased, or its key is lost. */
export async function openText(accountKeys: AccountKeys, row: Row): Promise<BroadcastText | null> {
  if (row.keyNumber === null) return null;
  const keyOf = await accountKeys.opening([{ accountId: row.accountId, number: row.keyNumber }]);
  // `sealText` wrote the JSON, and the seal says that nobody has changed it.
  return openJson(keyOf, row.accountId, row.id, row) as BroadcastText | null;
}

/** Null: erased, its key is lost, or the account has no such broadcast. */
export async function readBroadcastText(
  database: Database,
  accountKeys: AccountKeys,
  { id, accountId }: Pick<Row, 'id' | 'accountId'>,
): Promise<BroadcastText | null> {
  const { rows } = await database.pool.query<MaybeSealed>({
    name: 'read-text-of-broadcast',
    text: 'SELECT key_number AS "keyNumber", sealed FROM broadcasts WHERE id = $1 AND account_id = $2',
    values: [id, accountId],
  });
  const [row] = rows;
  return row === undefined ? null : openText(accountKeys, { ...row, id, accountId });
}

/** Null: erased, or its key is lost. A recipient without values has an empty record. */
export function openValues(
  keyOf: KeyOf,
  { id, accountId }: Pick<Row, 'id' | 'accountId'>,
  row: MaybeSealed & { readonly position: number },
): Values | null {
  if (row.sealed === null) return {};
  // `sealValues` wrote the JSON.
  return openJson(keyOf, accountId, aadOfValues(id, row.position), row) as Values | null;
}

/** The text was checked before it was stored. */
export function parsedText({ text, footer }: BroadcastText): ParsedTemplate {
  const parsing = parseTemplate(text, footer);
  if (!parsing.ok) throw new Error('a broadcast has a text that cannot be parsed');
  return parsing.template;
}
