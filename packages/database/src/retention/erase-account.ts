/**
 * Erases an account. `beginAccountErasure` shuts everybody out in one commit. `continueAccountErasure` then does what
 * can be done now, and says what is left; the sweep calls it until nothing is. Each step can run again, and several
 * processes may run it at once.
 *
 * Periods, renewals and the ledger stay for the books, without names. The rows of messages stay until their own
 * retention ends, without recipients and texts.
 */
import type { AccountId, DeviceId } from '@kurir/contracts';
import type pg from 'pg';
import { type Audit, noteAudit } from '../accounts/audit.js';
import { deleteDevice, finishDeletedDevices } from '../devices/delete-device.js';
import { endLinks } from '../devices/end-links.js';
import { cancelMessages } from '../messages/cancel-messages.js';
import { refScopesOf } from '../messages/request-keys.js';
import { failMessagesOfUnlinked } from '../messages/sweep-messages.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import { deleteAll } from '../postgres/chores/run-in-batches.js';
import { deleteRequestsOf } from '../requests/store-requests.js';
import { deleteContactsOf } from './erase-contacts.js';
import { deleteConversationsOf } from './erase-inbound.js';
import { eraseMessages } from './erase-messages.js';

/** Stands for the name of an erased account. */
const noName = 'erased';

const shutOut = [
  `UPDATE users SET had_account = true WHERE id IN (SELECT user_id FROM members WHERE account_id = $1)`,
  'UPDATE sessions SET account_id = NULL WHERE account_id = $1',
  'DELETE FROM members WHERE account_id = $1',
  'DELETE FROM invitations WHERE account_id = $1',
  `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()), name = '' WHERE account_id = $1`,
  'DELETE FROM webhooks WHERE account_id = $1',
  `UPDATE broadcasts SET state = 'cancelled', paused_by = NULL WHERE account_id = $1 AND ended_at IS NULL`,
  'DELETE FROM broadcast_audiences WHERE account_id = $1',
  'DELETE FROM templates WHERE account_id = $1',
  `UPDATE contact_imports SET state = 'cancelled', owner = NULL, ended_at = now() WHERE account_id = $1 AND ended_at IS NULL`,
  `UPDATE renewals SET state = 'cancelled' WHERE account_id = $1 AND state = 'pending'`,
  `UPDATE renewals SET invoice_name = NULL, invoice_tax_number = NULL, invoice_address = NULL WHERE account_id = $1`,
  `UPDATE devices SET desired_state = 'unlinked' WHERE account_id = $1 AND linked`,
  endLinks,
];

/**
 * In the caller's transaction: from its commit on, keys, members and invitations of the account are gone, and its
 * devices are to be unlinked. Returns false if the erasure had begun before.
 */
export async function shutAccount(client: pg.PoolClient, accountId: AccountId, audit: Audit): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM accounts WHERE id = $1 AND erasure_begun_at IS NULL FOR UPDATE',
    [accountId],
  );
  const [account] = rows;
  if (account === undefined) return false;
  for (const statement of shutOut) await client.query(statement, [accountId]);
  await client.query(`DELETE FROM kept_mails WHERE strpos(subject || ' ' || text, $1) > 0`, [account.name]);
  await client.query(
    `UPDATE accounts SET name = '${noName}', text_retention_hours = NULL, opt_out = NULL,
       invoice_name = NULL, invoice_tax_number = NULL, invoice_address = NULL,
       suspended_at = NULL, suspended_reason = NULL, erasure_begun_at = now() WHERE id = $1`,
    [accountId],
  );
  await noteAudit(client, audit, accountId);
  return true;
}

/** Returns false if there is no such account, or if its erasure had begun before. */
export const beginAccountErasure = (database: Database, accountId: AccountId, audit: Audit): Promise<boolean> =>
  inTransaction(database.pool, (client) => shutAccount(client, accountId, audit));

export type ErasureState = 'none' | 'stands' | 'begun' | 'erased';

/** `none`: there is no such account. `stands`: nobody began to erase it. */
export async function readErasureState({ pool }: Database, accountId: string): Promise<ErasureState> {
  const { rows } = await pool.query<{ state: ErasureState }>(
    `SELECT CASE WHEN erased_at IS NOT NULL THEN 'erased' WHEN erasure_begun_at IS NOT NULL THEN 'begun' ELSE 'stands' END AS state
     FROM accounts WHERE id = $1`,
    [accountId],
  );
  return rows[0]?.state ?? 'none';
}

export type AccountCount = {
  readonly devices: number;
  readonly linked: number;
  readonly keys: number;
  readonly members: number;
  readonly invitations: number;
  readonly messages: number;
};

/** Counts what an erasure would take. The messages are those that the account has, up to a million. */
export async function countAccount({ pool }: Database, accountId: AccountId): Promise<AccountCount> {
  const { rows } = await pool.query<AccountCount>(
    `SELECT (SELECT count(*)::int FROM devices WHERE account_id = $1 AND deleted_at IS NULL) AS devices,
       (SELECT count(*)::int FROM devices WHERE account_id = $1 AND linked) AS linked,
       (SELECT count(*)::int FROM api_keys WHERE account_id = $1) AS keys,
       (SELECT count(*)::int FROM members WHERE account_id = $1) AS members,
       (SELECT count(*)::int FROM invitations WHERE account_id = $1) AS invitations,
       (SELECT count(*)::int FROM (SELECT 1 FROM messages WHERE account_id = $1 LIMIT 1000000) first) AS messages`,
    [accountId],
  );
  const [counted] = rows;
  if (counted === undefined) throw new Error('a count returned no row');
  return counted;
}

export type AccountLeft = {
  readonly done: boolean;
  /** Devices that a worker must log out first. */
  readonly linked: number;
  /** Devices that a worker still holds, or with messages that are being ended. */
  readonly ending: number;
};

type OwnDevice = { id: DeviceId; linked: boolean };

async function readDevices({ pool }: Database, accountId: AccountId): Promise<OwnDevice[]> {
  const { rows } = await pool.query<OwnDevice>(
    'SELECT id, linked FROM devices WHERE account_id = $1 AND deleted_at IS NULL ORDER BY id',
    [accountId],
  );
  return rows;
}

/**
 * Unlinks a device without the network, which still lists it afterwards. The new epoch ends the session of a worker
 * that holds it.
 */
async function unlinkByForce({ pool }: Database, deviceId: DeviceId): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query(
      'UPDATE device_leases SET owner = NULL, epoch = epoch + 1, expires_at = now() WHERE device_id = $1',
      [deviceId],
    );
    await client.query(
      `UPDATE devices SET linked = false, desired_state = 'unlinked', state = 'disconnected', state_reason = NULL, state_at = now()
       WHERE id = $1`,
      [deviceId],
    );
  });
}

async function removeDevices(database: Database, accountId: AccountId, force: boolean): Promise<AccountLeft> {
  let [linked, ending] = [0, 0];
  for (const device of await readDevices(database, accountId)) {
    if (device.linked && force) await unlinkByForce(database, device.id);
    else if (device.linked) {
      linked++;
      continue;
    }
    while ((await failMessagesOfUnlinked(database, device.id)) > 0);
    const deletion = await deleteDevice(database, accountId, device.id);
    if (deletion !== 'deleted' && deletion !== 'not-found') ending++;
  }
  return { done: false, linked, ending };
}

const all = {
  status: null,
  deviceId: null,
  recipient: null,
  clientRef: null,
  priority: null,
  broadcastId: null,
  since: null,
  until: null,
};

/** For so long after the beginning, an api may still know a key of the account. */
const settlingMs = 10_000;

async function isSettled({ pool }: Database, accountId: AccountId, afterMs: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT 1 FROM accounts WHERE id = $1 AND erasure_begun_at <= now() - $2 * interval '1 millisecond'`,
    [accountId, afterMs],
  );
  return rowCount === 1;
}

const rowsAtOnce = 5_000;

/** They may be many. The last rows below are few. */
const manyRows = [
  `DELETE FROM request_keys WHERE ctid = ANY (ARRAY(
     SELECT k.ctid FROM request_keys k
     WHERE k.scope IN (SELECT unnest(${refScopesOf('$1::text')}) UNION ALL SELECT id FROM api_keys WHERE account_id = $1) LIMIT ${rowsAtOnce}))`,
  `DELETE FROM audit_addresses WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM audit_addresses WHERE account_id = $1 LIMIT ${rowsAtOnce}))`,
];

/** Also what a request that crossed the beginning may have added. */
const lastRows = [
  'DELETE FROM members WHERE account_id = $1',
  'DELETE FROM invitations WHERE account_id = $1',
  'DELETE FROM api_key_secrets WHERE key_id IN (SELECT id FROM api_keys WHERE account_id = $1)',
  'DELETE FROM api_keys WHERE account_id = $1',
  'DELETE FROM account_keys WHERE account_id = $1',
  'DELETE FROM webhooks WHERE account_id = $1',
  'DELETE FROM plan_choices WHERE account_id = $1',
  'DELETE FROM audit_addresses WHERE account_id = $1',
  `UPDATE renewals SET invoice_name = NULL, invoice_tax_number = NULL, invoice_address = NULL WHERE account_id = $1`,
  `UPDATE accounts SET invoice_name = NULL, invoice_tax_number = NULL, invoice_address = NULL,
     erased_at = coalesce(erased_at, now()) WHERE id = $1`,
];

export type Continuation = {
  /** Unlinks devices without the network. */
  readonly force?: boolean;
  readonly settlingMs?: number;
};

/** Does nothing for an account whose erasure has not begun. */
export async function continueAccountErasure(
  database: Database,
  accountId: AccountId,
  { force = false, settlingMs: afterMs = settlingMs }: Continuation = {},
): Promise<AccountLeft> {
  const state = await readErasureState(database, accountId);
  if (state !== 'begun') return { done: state === 'erased', linked: 0, ending: 0 };
  while ((await cancelMessages(database, accountId, all)).cancelled > 0);
  const left = await removeDevices(database, accountId, force);
  if (left.linked + left.ending > 0 || !(await isSettled(database, accountId, afterMs))) return left;
  const { sending } = await eraseMessages(database, { recipient: null, accountId });
  if (sending > 0) return { ...left, ending: sending };
  // A killed run may have left contacts of a device that is deleted already.
  await finishDeletedDevices(database, new AbortController().signal);
  for (const text of manyRows) await deleteAll(database.pool, text, [accountId]);
  await deleteRequestsOf(database, accountId);
  await deleteConversationsOf(database, accountId);
  await deleteContactsOf(database, accountId);
  await inTransaction(database.pool, async (client) => {
    await client.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [accountId]);
    for (const statement of lastRows) await client.query(statement, [accountId]);
  });
  return { ...left, done: true };
}

/** Without a worker that can log them out, devices are unlinked by force this long after the beginning. */
const patienceHours = 24;

/** Continues all erasures that have begun. Returns how many ended. */
export async function continueErasures(database: Database, signal: AbortSignal): Promise<number> {
  const { rows } = await database.pool.query<{ id: AccountId; late: boolean }>({
    name: 'read-begun-erasures',
    text: `SELECT id, erasure_begun_at < now() - interval '${patienceHours} hours' AS late FROM accounts
           WHERE erasure_begun_at IS NOT NULL AND erased_at IS NULL ORDER BY id LIMIT 100`,
  });
  let ended = 0;
  const failures: unknown[] = [];
  for (const { id, late } of rows) {
    if (signal.aborted) break;
    // One account that fails must not hold up the others.
    try {
      if ((await continueAccountErasure(database, id, { force: late })).done) ended++;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'accounts could not be erased');
  return ended;
}
