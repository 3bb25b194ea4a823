/**
 * Erases a phone number: in messages, conversations, contacts of accounts and of devices, devices, stored keys of devices,
 * and kept mails. Each statement is short and can run again, so a killed run is ended by the next one.
 */
import type { AccountId } from '@kurir/contracts';
import { type Audit, noteAudit } from '../accounts/audit.js';
import { isNewOfToday } from '../devices/new-contacts.js';
import type { Database } from '../postgres/connect.js';
import type { Sealer } from '../postgres/sealer.js';
import { openCredential } from '../sessions/credentials.js';
import { eraseRecipients } from './forget-broadcasts.js';
import { countContactsWith, deleteContactsWith } from './erase-contacts.js';
import { forgetOwnNumbers } from './forget-own-numbers.js';
import { countInboundOf, eraseInboundOf, userIdsOf } from './erase-inbound.js';
import { countErasableMessages, eraseMessages, type MessageCount } from './erase-messages.js';

export type NumberInAccounts = {
  readonly number: string;
  /** Null: all accounts. */
  readonly accountId: AccountId | null;
};

export type NumberCount = MessageCount & {
  /** Contacts of devices. */
  readonly contacts: number;
  /** Contacts of accounts, as people imported or entered them. */
  readonly savedContacts: number;
  /** Devices that are not linked, whose own number it is or that were to be linked by it. */
  readonly devices: number;
  /** Rows that a device keeps about the person: sessions, addresses. */
  readonly credentials: number;
  readonly mails: number;
  /** Messages of the person to devices. */
  readonly inbound: number;
};

/** The devices that are linked with the number. They must be unlinked first. */
export async function findLinkedBy({ pool }: Database, which: NumberInAccounts): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM devices WHERE linked AND phone_number = $1 AND ($2::text IS NULL OR account_id = $2) ORDER BY id`,
    [which.number, which.accountId],
  );
  return rows.map(({ id }) => id);
}

const devicesAtOnce = 200;

/** Ids of the devices, in slices. */
async function* deviceSlices({ pool }: Database, accountId: AccountId | null): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const { rows } = await pool.query<{ id: string }>(
      `SELECT id FROM devices WHERE id > $1 AND ($2::text IS NULL OR account_id = $2) ORDER BY id LIMIT ${devicesAtOnce}`,
      [after, accountId],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ id }) => id);
    after = last.id;
  }
}

/** Rows that a driver names by a count of its own, so that an equal number there means nothing. */
const ownKinds = ['creds', 'pre-key', 'signed-pre-key'];

/** Rows about a person have the digits of an address in their id: `6281234567890`, `6281234567890.0`. */
const isAbout = `kind <> ALL ($2::text[]) AND id ~ ANY ($3::text[])`;
const patternOf = (digits: string) => `(^|[^0-9])${digits}([^0-9]|$)`;

/** The network's other ids of the number, as far as a device stored them. */
async function otherIdsOf({ pool }: Database, sealer: Sealer, deviceIds: string[], number: string): Promise<string[]> {
  const { rows } = await pool.query<{ device_id: string; sealed: Buffer }>(
    `SELECT device_id, sealed FROM device_credentials WHERE device_id = ANY ($1) AND kind = 'lid-mapping' AND id = $2`,
    [deviceIds, number],
  );
  return rows.flatMap((row) => {
    const value = openCredential(sealer, { deviceId: row.device_id, kind: 'lid-mapping', id: number }, row.sealed);
    return value?.match(/[0-9]{6,}/)?.slice(0, 1) ?? [];
  });
}

async function countContactsOf(database: Database, sealer: Sealer, { number, accountId }: NumberInAccounts) {
  let [contacts, credentials] = [0, 0];
  for await (const ids of deviceSlices(database, accountId)) {
    const patterns = [number, ...(await otherIdsOf(database, sealer, ids, number))].map(patternOf);
    const { rows } = await database.pool.query<{ contacts: number; credentials: number }>(
      `SELECT (SELECT count(*)::int FROM device_contacts WHERE device_id = ANY ($1) AND recipient = $4) AS contacts,
         (SELECT count(*)::int FROM device_credentials WHERE device_id = ANY ($1) AND ${isAbout}) AS credentials`,
      [ids, ownKinds, patterns, number],
    );
    contacts += rows[0]?.contacts ?? 0;
    credentials += rows[0]?.credentials ?? 0;
  }
  return { contacts, credentials };
}

/**
 * A new contact of today still counts for the limit of its device, but without its number. Otherwise an erasure would
 * let the device write to one more person.
 */
const keepForLimit = `UPDATE device_contacts c SET recipient = 'erased ' || gen_random_uuid()
  WHERE c.device_id = ANY ($1) AND c.recipient = $2 AND ${isNewOfToday}`;

async function eraseContactsOf(database: Database, sealer: Sealer, { number, accountId }: NumberInAccounts) {
  let [contacts, credentials] = [0, 0];
  const { pool } = database;
  for await (const ids of deviceSlices(database, accountId)) {
    const patterns = [number, ...(await otherIdsOf(database, sealer, ids, number))].map(patternOf);
    const kept = await pool.query(keepForLimit, [ids, number]);
    const gone = await pool.query('DELETE FROM device_contacts WHERE device_id = ANY ($1) AND recipient = $2', [
      ids,
      number,
    ]);
    const keys = await pool.query(`DELETE FROM device_credentials WHERE device_id = ANY ($1) AND ${isAbout}`, [
      ids,
      ownKinds,
      patterns,
    ]);
    contacts += (kept.rowCount ?? 0) + (gone.rowCount ?? 0);
    credentials += keys.rowCount ?? 0;
  }
  return { contacts, credentials };
}

/** Over `devices d`. */
const isItsDevice = `(d.phone_number = $1 OR d.pairing_number = $1) AND NOT d.linked AND ($2::text IS NULL OR d.account_id = $2)`;
const hasNumber = `strpos(recipient || ' ' || subject || ' ' || text, $1) > 0`;

async function countRestOf({ pool }: Database, { number, accountId }: NumberInAccounts) {
  const { rows: devices } = await pool.query(`SELECT 1 FROM devices d WHERE ${isItsDevice}`, [number, accountId]);
  const { rows: mails } = await pool.query(`SELECT 1 FROM kept_mails WHERE ${hasNumber}`, [number]);
  return { devices: devices.length, mails: accountId === null ? mails.length : 0 };
}

/** Counts what `eraseNumber` would erase. */
export async function countNumber(database: Database, sealer: Sealer, which: NumberInAccounts): Promise<NumberCount> {
  return {
    ...(await countErasableMessages(database, { recipient: which.number, accountId: which.accountId })),
    ...(await countContactsOf(database, sealer, which)),
    ...(await countRestOf(database, which)),
    inbound: await countInboundOf(database, which),
    savedContacts: await countContactsWith(database, which),
  };
}

export type NumberErasure = {
  readonly audit?: Audit;
  readonly onProgress?: (messages: number) => void;
};

/**
 * Returns what it erased; `sending` are messages that still go out. Contacts come last, because a message that is being
 * sent stores its contact again. The row of the audit log is committed before anything is erased, without the number.
 */
export async function eraseNumber(
  database: Database,
  sealer: Sealer,
  which: NumberInAccounts,
  { audit, onProgress }: NumberErasure = {},
): Promise<NumberCount> {
  const { number, accountId } = which;
  const { pool } = database;
  if (audit !== undefined) await noteAudit(pool, audit, null);
  // Messages to a person whose number was hidden name another id of the person.
  const userIds = await userIdsOf(database, which);
  // Broadcasts first: afterwards none of them makes a message that the next steps would not see.
  await eraseRecipients(database, [number, ...userIds], accountId);
  const messages = await eraseMessages(database, { recipient: number, accountId }, onProgress);
  for (const userId of userIds) await eraseMessages(database, { recipient: userId, accountId }, onProgress);
  // A suppression outlives the number.
  await pool.query(
    'UPDATE suppressions SET recipient = NULL WHERE recipient = ANY ($1::text[]) AND ($2::text IS NULL OR account_id = $2)',
    [[number, ...userIds], accountId],
  );
  const contacts = await eraseContactsOf(database, sealer, which);
  const inbound = await eraseInboundOf(database, which);
  const savedContacts = await deleteContactsWith(database, which);
  const devices = await forgetOwnNumbers(database, isItsDevice, [number, accountId]);
  // A kept mail belongs to no account.
  const mails = accountId === null ? await pool.query(`DELETE FROM kept_mails WHERE ${hasNumber}`, [number]) : null;
  return { ...messages, ...contacts, devices, mails: mails?.rowCount ?? 0, inbound, savedContacts };
}
