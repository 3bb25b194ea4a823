/**
 * What the holder of a device reads and writes about it. Every write is guarded by the lease: it changes
 * nothing, and says so, when the caller's epoch is not the current one.
 */
import type { DeviceId, DeviceState } from '@kurir/contracts';
import type { Holder } from './claim-message.js';
import type { Database } from './connect.js';

const held = `EXISTS (SELECT 1 FROM device_leases l WHERE l.device_id = $1 AND l.owner = $2 AND l.epoch = $3 AND l.expires_at > now())`;

const holderValues = (holder: Holder) => [holder.deviceId, holder.owner, holder.epoch];

export type DeviceIntent = {
  readonly deviceId: DeviceId;
  readonly network: string;
  readonly desiredState: 'linked' | 'unlinked';
  readonly linked: boolean;
  readonly pairing: { readonly method: 'qr' | 'pairing_code'; readonly phoneNumber: string | null } | null;
  readonly pacePerMinute: number | null;
};

type IntentRow = {
  id: DeviceId;
  network: string;
  desired_state: 'linked' | 'unlinked';
  linked: boolean;
  pairing_method: 'qr' | 'pairing_code' | null;
  pairing_number: string | null;
  pace_per_minute: number | null;
};

/** What customers want of the given devices. */
export async function readIntents(database: Database, deviceIds: readonly DeviceId[]): Promise<DeviceIntent[]> {
  const { rows } = await database.pool.query<IntentRow>({
    name: 'read-intents',
    text: `SELECT id, network, desired_state, linked, pairing_method, pairing_number, pace_per_minute
           FROM devices WHERE id = ANY ($1::text[])`,
    values: [deviceIds],
  });
  return rows.map((row) => ({
    deviceId: row.id,
    network: row.network,
    desiredState: row.desired_state,
    linked: row.linked,
    pairing: row.pairing_method === null ? null : { method: row.pairing_method, phoneNumber: row.pairing_number },
    pacePerMinute: row.pace_per_minute,
  }));
}

/** Writes the state that the session is in; false when the lease is lost. */
export async function writeDeviceState(
  database: Database,
  holder: Holder,
  state: DeviceState,
  reason: string | null,
): Promise<boolean> {
  const { rowCount } = await database.pool.query({
    name: 'write-device-state',
    text: `UPDATE devices SET state = $4, state_reason = $5,
             state_at = CASE WHEN state = $4 THEN state_at ELSE now() END,
             last_connected_at = CASE WHEN state = 'connected' OR $4 = 'connected' THEN now() ELSE last_connected_at END
           WHERE id = $1 AND ${held}`,
    values: [...holderValues(holder), state, reason],
  });
  return rowCount === 1;
}

/** Shows the newest code that a person can scan or type; false when the lease is lost. */
export async function writePairingCode(
  database: Database,
  holder: Holder,
  code: string,
  until: Date,
): Promise<boolean> {
  const { rowCount } = await database.pool.query({
    name: 'write-pairing-code',
    text: `UPDATE devices SET state = 'pairing', state_reason = NULL, pairing_code = $4, pairing_until = $5,
             state_at = CASE WHEN state = 'pairing' THEN state_at ELSE now() END
           WHERE id = $1 AND ${held}`,
    values: [...holderValues(holder), code, until],
  });
  return rowCount === 1;
}

/** Linking succeeded: from now on the device connects by itself. */
export async function writeLinked(database: Database, holder: Holder, phoneNumber: string): Promise<boolean> {
  const { rowCount } = await database.pool.query({
    name: 'write-linked',
    text: `UPDATE devices SET linked = true, phone_number = $4, state = 'connecting', state_reason = NULL, state_at = now(),
             pairing_method = NULL, pairing_number = NULL, pairing_code = NULL, pairing_until = NULL
           WHERE id = $1 AND ${held}`,
    values: [...holderValues(holder), phoneNumber],
  });
  return rowCount === 1;
}

/**
 * The device is not linked (any more): its credentials are erased and it asks for nothing until a person links
 * it again. `failUnlinkedMessages` then ends what was waiting.
 */
export async function writeUnlinked(
  database: Database,
  holder: Holder,
  state: 'disconnected' | 'banned',
  reason: string | null,
): Promise<boolean> {
  const { rowCount } = await database.pool.query({
    name: 'write-unlinked',
    text: `WITH mine AS (SELECT 1 WHERE ${held}),
           erased AS (DELETE FROM device_credentials WHERE device_id = $1 AND EXISTS (SELECT 1 FROM mine))
           UPDATE devices SET linked = false, desired_state = 'unlinked', state = $4, state_reason = $5, state_at = now(),
             last_connected_at = NULL,
             pairing_method = NULL, pairing_number = NULL, pairing_code = NULL, pairing_until = NULL
           WHERE id = $1 AND EXISTS (SELECT 1 FROM mine)`,
    values: [...holderValues(holder), state, reason],
  });
  return rowCount === 1;
}
