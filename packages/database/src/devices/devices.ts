/**
 * Devices as their account sees them. The requests of customers are stored here; the worker that holds the device
 * carries them out.
 */
import { type AccountId, type DeviceId, type DeviceState, limits } from '@kurir/contracts';
import type pg from 'pg';
import { type Audit, audited, noteAudit } from '../accounts/audit.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import { acceptsSends, shownReason, shownState } from './device-condition.js';
import { lockAndCountDevices } from './device-limits.js';

export type DeviceView = {
  readonly id: DeviceId;
  readonly name: string;
  readonly network: string;
  readonly state: DeviceState;
  readonly stateReason: string | null;
  /** The network's own word for the reason. */
  readonly stateDetail: string | null;
  /** The end of the wait, while the device waits. */
  readonly stateUntil: Date | null;
  readonly linked: boolean;
  readonly acceptsSends: boolean;
  readonly phoneNumber: string | null;
  /** The newest code to scan or type, while it is valid. */
  readonly pairingCode: string | null;
  /** The end of the code's validity. Null without a code. */
  readonly pairingUntil: Date | null;
  readonly createdAt: Date;
};

export type ViewRow = {
  id: DeviceId;
  name: string;
  network: string;
  state: DeviceState;
  state_reason: string | null;
  state_detail: string | null;
  state_until: Date | null;
  linked: boolean;
  accepts_sends: boolean;
  phone_number: string | null;
  pairing_code: string | null;
  pairing_until: Date | null;
  created_at: Date;
};

export const viewColumns = `d.id, d.name, d.network, ${shownState} AS state, ${shownReason} AS state_reason, d.state_detail, d.state_until, d.linked,
  coalesce(${acceptsSends}, false) AS accepts_sends, d.phone_number,
  CASE WHEN d.pairing_until > now() THEN d.pairing_code END AS pairing_code,
  CASE WHEN d.pairing_until > now() THEN d.pairing_until END AS pairing_until, d.created_at`;

export function viewOf(row: ViewRow): DeviceView {
  return {
    id: row.id,
    name: row.name,
    network: row.network,
    state: row.state,
    stateReason: row.state_reason,
    stateDetail: row.state_detail,
    stateUntil: row.state_until,
    linked: row.linked,
    acceptsSends: row.accepts_sends,
    phoneNumber: row.phone_number,
    pairingCode: row.pairing_code,
    pairingUntil: row.pairing_until,
    createdAt: row.created_at,
  };
}

/** The account's device. Null also for a device of another account. */
export async function readDevice(
  database: Database,
  accountId: AccountId,
  deviceId: string,
): Promise<DeviceView | null> {
  const { rows } = await database.pool.query<ViewRow>({
    name: 'read-device',
    text: `SELECT ${viewColumns} FROM devices d JOIN device_leases l ON l.device_id = d.id WHERE d.account_id = $1 AND d.id = $2`,
    values: [accountId, deviceId],
  });
  const [row] = rows;
  return row === undefined ? null : viewOf(row);
}

export async function listDevices(database: Database, accountId: AccountId): Promise<DeviceView[]> {
  const { rows } = await database.pool.query<ViewRow>(
    `SELECT ${viewColumns} FROM devices d JOIN device_leases l ON l.device_id = d.id WHERE d.account_id = $1 ORDER BY d.created_at`,
    [accountId],
  );
  return rows.map(viewOf);
}

type Pairing = { readonly method: 'qr' | 'pairing_code'; readonly phoneNumber: string | null };

/**
 * Requests a link; the worker then shows a code. Returns false if the account has no such device or the device is
 * linked.
 */
export async function requestLink(
  database: Database,
  accountId: AccountId,
  deviceId: DeviceId,
  pairing: Pairing,
  audit?: Audit,
): Promise<boolean> {
  return audited(database, audit, deviceId, (queryable) => startLink(queryable, accountId, deviceId, pairing));
}

/**
 * As `requestLink`, for a customer: refuses if the account links as many other devices as it may. Requests at the same
 * time count each other.
 */
export function requestLinkWithinLimit(
  database: Database,
  accountId: AccountId,
  deviceId: DeviceId,
  pairing: Pairing,
  audit?: Audit,
): Promise<'started' | 'not-started' | 'too-many'> {
  return inTransaction(database.pool, async (client) => {
    const counts = await lockAndCountDevices(client, accountId);
    // A device that is being linked may begin again: it counts already.
    const again = await client.query(`SELECT FROM devices WHERE account_id = $1 AND id = $2 AND state = 'pairing'`, [
      accountId,
      deviceId,
    ]);
    if (again.rowCount === 0 && counts.pairing >= limits.pairingMaxDevices) return 'too-many';
    if (!(await startLink(client, accountId, deviceId, pairing))) return 'not-started';
    if (audit !== undefined) await noteAudit(client, audit, deviceId);
    return 'started';
  });
}

async function startLink(
  queryable: pg.Pool | pg.PoolClient,
  accountId: AccountId,
  deviceId: DeviceId,
  { method, phoneNumber }: Pairing,
): Promise<boolean> {
  const { rowCount } = await queryable.query(
    `UPDATE devices SET desired_state = 'linked', state = 'pairing', state_reason = NULL, state_at = now(),
       state_detail = NULL, state_until = NULL, pairing_method = $3, pairing_number = $4, pairing_code = NULL, pairing_until = NULL
     WHERE account_id = $1 AND id = $2 AND NOT linked AND deleted_at IS NULL`,
    [accountId, deviceId, method, phoneNumber],
  );
  return rowCount === 1;
}

/**
 * Cancels a link request. The device shows no code from now on, and the worker ends an attempt that is still open. If
 * the phone linked the account at the same moment, the worker unlinks it. Returns false if no link was requested.
 */
export async function requestLinkCancel(
  database: Database,
  accountId: AccountId,
  deviceId: DeviceId,
  audit?: Audit,
): Promise<boolean> {
  return audited(database, audit, deviceId, async (queryable) => {
    const { rowCount } = await queryable.query(
      `UPDATE devices SET desired_state = 'unlinked', state = 'disconnected', state_reason = 'link_cancelled', state_at = now(),
       pairing_method = NULL, pairing_number = NULL, pairing_code = NULL, pairing_until = NULL
     WHERE account_id = $1 AND id = $2 AND NOT linked AND state = 'pairing'`,
      [accountId, deviceId],
    );
    return rowCount === 1;
  });
}

/**
 * Requests that the device is unlinked. A second request changes nothing. Returns false if the account has no such
 * linked device.
 */
export async function requestUnlink(
  database: Database,
  accountId: AccountId,
  deviceId: string,
  audit?: Audit,
): Promise<boolean> {
  return audited(database, audit, deviceId, async (queryable) => {
    const { rowCount } = await queryable.query({
      name: 'request-unlink',
      text: `UPDATE devices SET desired_state = 'unlinked' WHERE account_id = $1 AND id = $2 AND linked`,
      values: [accountId, deviceId],
    });
    return rowCount === 1;
  });
}
