/**
 * Deletes a device that is not linked. Its row stays for a day, empty and without a lease, so that nobody finds it.
 * Acceptance takes no lock on a device, so a message may arrive a moment after the deletion. The sweep then fails it
 * like a message of any unlinked device. A second run changes nothing; `finishDeletedDevices` ends what a killed one left.
 */
import type { AccountId } from '@kurir/contracts';
import { type Audit, noteAudit } from '../accounts/audit.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import { runInBatches } from '../postgres/chores/run-in-batches.js';

export type DeviceDeletion =
  | 'deleted'
  | 'not-found'
  /** It must be unlinked first. */
  | 'linked'
  /** Its linking must be cancelled first. */
  | 'pairing'
  /** A worker still holds it, for example to end a link. It lets go within seconds. */
  | 'held'
  /** Messages of it wait or are being sent. The sweep ends them within seconds. */
  | 'has-messages'
  /** Messages of a paused broadcast wait on it. They stay until the broadcast moves them or ends. */
  | 'has-broadcast';

/** Each of its columns that a person filled, and each that the network reported. */
const emptied = `name = '', phone_number = NULL, proxy_sealed = NULL, client_ref = NULL, request_fingerprint = NULL,
  pairing_method = NULL, pairing_number = NULL, pairing_code = NULL, pairing_until = NULL, state_reason = NULL,
  state_detail = NULL, state_until = NULL, last_connected_at = NULL, replaced_at = '{}', forget_sessions_at = NULL,
  new_contacts_blocked_until = NULL, new_contacts_reason = NULL, new_chats_used = NULL, new_chats_total = NULL,
  new_chats_reset_at = NULL, state = 'disconnected', state_at = now(), deleted_at = now()`;

type Standing = { linked: boolean; desired: string; held: boolean; busy: boolean; broadcasting: boolean };

export async function deleteDevice(
  database: Database,
  accountId: AccountId,
  deviceId: string,
  audit?: Audit,
): Promise<DeviceDeletion> {
  const deletion = await inTransaction(database.pool, async (client): Promise<DeviceDeletion> => {
    // The lock on the lease keeps workers away until the commit.
    const { rows } = await client.query<Standing>(
      `SELECT d.linked, d.desired_state AS desired, coalesce(l.owner IS NOT NULL AND l.expires_at > now(), false) AS held,
         EXISTS (SELECT 1 FROM messages m WHERE m.device_id = d.id AND m.stage = 0 AND m.waits_until IS NULL)
         OR EXISTS (SELECT 1 FROM messages m WHERE m.device_id = d.id AND m.stage = 0 AND m.waits_until IS NOT NULL)
         OR EXISTS (SELECT 1 FROM messages m WHERE m.device_id = d.id AND m.stage = 1) AS busy,
         EXISTS (SELECT FROM broadcasts b JOIN messages m ON m.broadcast_id = b.id AND m.status = 'queued' AND m.device_id = d.id
           WHERE b.account_id = d.account_id AND b.ended_at IS NULL AND b.state = 'paused') AS broadcasting
       FROM devices d JOIN device_leases l ON l.device_id = d.id
       WHERE d.account_id = $1 AND d.id = $2 AND d.deleted_at IS NULL FOR UPDATE OF d, l`,
      [accountId, deviceId],
    );
    const [device] = rows;
    if (device === undefined) return 'not-found';
    if (device.linked) return 'linked';
    if (device.desired === 'linked') return 'pairing';
    if (device.held) return 'held';
    if (device.busy) return device.broadcasting ? 'has-broadcast' : 'has-messages';
    await client.query(`UPDATE devices SET ${emptied} WHERE id = $1`, [deviceId]);
    await client.query('DELETE FROM device_leases WHERE device_id = $1', [deviceId]);
    await client.query('DELETE FROM device_health WHERE device_id = $1', [deviceId]);
    await client.query('DELETE FROM device_days WHERE device_id = $1', [deviceId]);
    await client.query('DELETE FROM device_pace WHERE device_id = $1', [deviceId]);
    if (audit !== undefined) await noteAudit(client, audit, deviceId);
    return 'deleted';
  });
  if (deletion === 'deleted') await finishDeletedDevices(database, AbortSignal.timeout(clearedAtOnceMs));
  return deletion;
}

const rowsPerBatch = 1_000;
/** The caller waits for no more than this. The sweep deletes the rest. */
const clearedAtOnceMs = 1_000;

function clear({ pool }: Database, table: string, signal: AbortSignal): Promise<number> {
  return runInBatches(async () => {
    const { rowCount } = await pool.query({
      name: `clear-${table}`,
      text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
               SELECT t.ctid FROM devices d JOIN ${table} t ON t.device_id = d.id
               WHERE d.deleted_at IS NOT NULL LIMIT ${rowsPerBatch}))`,
    });
    const deleted = rowCount ?? 0;
    return { deleted, isLast: deleted < rowsPerBatch };
  }, signal);
}

/**
 * Deletes what deleted devices have left: contacts and credentials, and after a day their rows. A row stays while a
 * message of its device is unfinished.
 */
export async function finishDeletedDevices(database: Database, signal: AbortSignal): Promise<number> {
  let deleted = await clear(database, 'device_contacts', signal);
  deleted += await clear(database, 'device_credentials', signal);
  const { rowCount } = await database.pool.query({
    name: 'delete-old-devices',
    text: `DELETE FROM devices d WHERE deleted_at < now() - interval '1 day'
             AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.device_id = d.id AND m.stage = 0 AND m.waits_until IS NULL)
             AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.device_id = d.id AND m.stage = 0 AND m.waits_until IS NOT NULL)
             AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.device_id = d.id AND m.stage = 1)`,
  });
  return deleted + (rowCount ?? 0);
}
