/** Renders the text of a broadcast for somebody who need not be in its list. It changes nothing. */
import {
  type AccountId,
  type BroadcastId,
  type BroadcastState,
  type DeviceId,
  type MessageCategory,
  messageCategories,
  type Rendering,
  renderTemplate,
  type Values,
} from '@kurir/contracts';
import type { AccountKeys } from '../accounts/account-keys.js';
import type { Database } from '../postgres/connect.js';
import { findSender } from './release/broadcast-devices.js';
import { openText, openValues, parsedText } from './state/broadcast-text.js';

type Whose = { readonly id: BroadcastId; readonly accountId: AccountId };

export type TestText = {
  readonly state: BroadcastState;
  readonly category: MessageCategory;
  /** The first of its devices that can send, or else the first of them. */
  readonly deviceId: DeviceId;
  /** Null: the text is erased. */
  readonly rendering: Rendering | null;
};

type BroadcastRow = Whose & {
  category: number;
  state: BroadcastState;
  deviceIds: DeviceId[];
  keyNumber: number | null;
  sealed: Buffer | null;
};

type ValuesRow = { position: number; keyNumber: number | null; sealed: Buffer | null };

/** The values of the first recipient who gets a message. Empty: there is none. */
async function readFirstValues({ pool }: Database, accountKeys: AccountKeys, whose: Whose): Promise<Values> {
  const { rows } = await pool.query<ValuesRow>({
    name: 'read-first-values',
    text: `SELECT position, key_number AS "keyNumber", sealed FROM broadcast_recipients
           WHERE broadcast_id = $1 AND state <> 1 ORDER BY position LIMIT 1`,
    values: [whose.id],
  });
  const [row] = rows;
  if (row === undefined || row.keyNumber === null) return {};
  const keyOf = await accountKeys.opening([{ accountId: whose.accountId, number: row.keyNumber }]);
  return openValues(keyOf, whose, row) ?? {};
}

/**
 * `values` null: those of the first recipient who gets a message. The recipient gets the same picks as from the broadcast.
 * Returns null if the account has no such broadcast.
 */
export async function readTestText(
  database: Database,
  accountKeys: AccountKeys,
  whose: Whose,
  { recipient, values }: { readonly recipient: string; readonly values: Values | null },
): Promise<TestText | null> {
  const { rows } = await database.pool.query<BroadcastRow>({
    name: 'read-broadcast-to-test',
    text: `SELECT id, account_id AS "accountId", category, state, device_ids AS "deviceIds", key_number AS "keyNumber", sealed
           FROM broadcasts WHERE id = $1 AND account_id = $2`,
    values: [whose.id, whose.accountId],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const [first] = row.deviceIds;
  if (first === undefined) throw new Error('a broadcast has no devices');
  const text = await openText(accountKeys, row);
  const given = values ?? (await readFirstValues(database, accountKeys, whose));
  return {
    state: row.state,
    category: messageCategories[row.category] ?? 'marketing',
    deviceId: (await findSender(database, row)) ?? first,
    rendering: text === null ? null : renderTemplate(parsedText(text), given, { recipient, seed: whose.id }),
  };
}
