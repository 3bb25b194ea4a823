/**
 * Creates a broadcast. Rows are added part by part while it is a draft. With a file or contacts it is `checking` instead,
 * and a worker reads them.
 */
import {
  type AccountId,
  type BroadcastId,
  type BroadcastState,
  categoryRanks,
  limits,
  type MessageCategory,
  newId,
  isTestKey,
  type ParsedTemplate,
  sandboxNetworks,
  type SendWindow,
} from '@kurir/contracts';
import type pg from 'pg';
import type { AccountKeys } from '../accounts/account-keys.js';
import { type Audit, noteAudit } from '../accounts/audit.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import { addAudience, isUploadFree, type NewAudience } from './audience/audience-rows.js';
import { lockBroadcast, moveBroadcast } from './state/broadcast-state.js';
import { type BroadcastText, parsedText, readBroadcastText, sealText } from './state/broadcast-text.js';
import { type PlannedRow, planRows } from './plan-recipients.js';

/** The rules that keep a broadcast from annoying people. */
export type BroadcastRules = {
  /** Null: any hour. */
  readonly window: SendWindow | null;
  /** A person who got so many marketing messages in 24 hours is skipped. Null: nobody is. */
  readonly maxPerDay: number | null;
  /** Percent of the latest outcomes of a device. Null: this guard is off. */
  readonly guardFailed: number | null;
  readonly guardOptedOut: number | null;
};

export type NewBroadcast = {
  readonly accountId: AccountId;
  readonly name: string;
  readonly category: MessageCategory;
  readonly text: BroadcastText;
  readonly deviceIds: readonly string[];
  readonly pacePerMinute: number | null;
  readonly sendAt: Date | null;
  readonly createdBy: string;
  readonly audience?: NewAudience | null;
} & BroadcastRules;

/** The broadcast of a test key uses only devices of a sandbox network. */
export async function isEveryDevice(
  client: pg.PoolClient,
  { accountId, createdBy }: Pick<NewBroadcast, 'accountId' | 'createdBy'>,
  deviceIds: readonly string[],
) {
  const { rowCount } = await client.query({
    name: 'read-devices-of-broadcast',
    text: `SELECT 1 FROM devices WHERE id = ANY ($1::text[]) AND account_id = $2 AND deleted_at IS NULL
             AND ($3::text[] IS NULL OR network = ANY ($3))`,
    values: [deviceIds, accountId, isTestKey(createdBy) ? sandboxNetworks : null],
  });
  return rowCount === new Set(deviceIds).size;
}

/** Creates a broadcast without recipients. `upload-used`: an import or another broadcast has the upload. */
export async function createBroadcast(
  database: Database,
  accountKeys: AccountKeys,
  broadcast: NewBroadcast,
  audit: Audit | undefined,
): Promise<BroadcastId | 'no-such-device' | 'upload-used'> {
  const { accountId, name, category, text, deviceIds, pacePerMinute, sendAt, createdBy, window } = broadcast;
  const { audience = null } = broadcast;
  const id = newId('brc');
  const keys = (await accountKeys.sealing(new Map([[accountId, 1]]))).get(accountId);
  if (keys === undefined) throw new Error('an account has no keys');
  const { keyNumber, sealed } = sealText(keys, id, text);
  return inTransaction(database.pool, async (client) => {
    if (!(await isEveryDevice(client, broadcast, deviceIds))) return 'no-such-device';
    if (audience !== null && 'uploadId' in audience && !(await isUploadFree(client, accountId, audience.uploadId)))
      return 'upload-used';
    await client.query(
      `INSERT INTO broadcasts (id, account_id, name, category, state, key_number, sealed, device_ids, pace_per_minute, send_at, created_by,
         window_from, window_to, window_zone, max_per_day, guard_failed, guard_opted_out, zones)
       VALUES ($1, $2, $3, $4, $17, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, '{}')`,
      [
        id,
        accountId,
        name,
        categoryRanks[category],
        keyNumber,
        sealed,
        [...new Set(deviceIds)],
        pacePerMinute,
        sendAt,
        createdBy,
        window?.from ?? null,
        window?.to ?? null,
        window?.zone ?? null,
        broadcast.maxPerDay,
        broadcast.guardFailed,
        broadcast.guardOptedOut,
        audience === null ? 'draft' : 'checking',
      ],
    );
    if (audience !== null) await addAudience(client, { id, accountId }, audience);
    if (audit !== undefined) await noteAudit(client, audit, id);
    return id;
  });
}

type Whose = { readonly id: BroadcastId; readonly accountId: AccountId };

/**
 * The text never changes. It is opened before a transaction begins, because the keys may need a connection too. Null: the
 * account has no such broadcast, or its text is erased.
 */
export async function readTemplateOf(
  database: Database,
  accountKeys: AccountKeys,
  whose: Whose,
): Promise<ParsedTemplate | null> {
  const text = await readBroadcastText(database, accountKeys, whose);
  return text === null ? null : parsedText(text);
}

export type Addition =
  /** `recipients` is how many rows the list has now. */
  | { readonly kind: 'added'; readonly recipients: number }
  | { readonly kind: 'not-found' }
  /** It is no draft. */
  | { readonly kind: 'wrong-state'; readonly state: BroadcastState }
  /** The list would be longer than a list may be. */
  | { readonly kind: 'too-many' };

/**
 * Adds rows to a draft. `after` is the number of rows that it has; with another number nothing is added, so a repeat is
 * harmless.
 */
export async function addRecipients(
  database: Database,
  accountKeys: AccountKeys,
  { id, accountId }: Whose,
  after: number,
  rows: readonly PlannedRow[],
): Promise<Addition> {
  const keys = (await accountKeys.sealing(new Map([[accountId, rows.length]]))).get(accountId);
  const template = await readTemplateOf(database, accountKeys, { id, accountId });
  if (keys === undefined) return { kind: 'not-found' };
  return inTransaction(database.pool, async (client) => {
    const broadcast = await lockBroadcast(client, { id, accountId });
    if (broadcast === null) return { kind: 'not-found' };
    const { state, recipients } = broadcast;
    // A draft has its text.
    if (state !== 'draft' || template === null) return { kind: 'wrong-state', state };
    if (recipients !== after) return { kind: 'added', recipients };
    if (after + rows.length > limits.broadcastMaxRecipients) return { kind: 'too-many' };
    await planRows({ client, broadcast, keys }, template, rows);
    return { kind: 'added', recipients: after + rows.length };
  });
}

/** The recipients of a draft are fixed from now on. Returns false if it was no draft. */
export const closeList = (database: Database, id: BroadcastId): Promise<boolean> =>
  inTransaction(database.pool, (client) => moveBroadcast(client, id, { from: ['draft'], to: 'ready' }));
