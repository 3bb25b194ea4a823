/**
 * Devices with which another program connects too. Probably that is a second copy of this database, restored or cloned,
 * whose workers hold their own leases. Each login replaces the other connection, so one side has to stop. The count is
 * stored with the device, so it survives a restart and a change of owner.
 */
import type { AccountId, DeviceId, DeviceReason } from '@kurir/contracts';
import { type Audit, audited } from '../accounts/audit.js';
import type { Database } from '../postgres/connect.js';
import { holdsLease } from './device-session.js';
import type { LeaseToken } from './lease-token.js';

/** This many replacements in a short time. A single one may be an old socket that the network had not yet closed. */
const contestedAfter = 3;
const lately = `ARRAY(SELECT t FROM unnest(replaced_at) AS t WHERE t > now() - interval '10 minutes')`;
const timesReplaced = `cardinality(${lately}) + 1`;
const reason = `CASE WHEN ${timesReplaced} >= ${contestedAfter} THEN 'contested' ELSE 'replaced' END`;

export type Replacement = {
  readonly reason: Extract<DeviceReason, 'replaced' | 'contested'>;
  /** The number of recent replacements, with this one. */
  readonly times: number;
};

/** Counts a replacement by another connection and writes the state that follows. Returns null if the lease is lost. */
export async function writeReplaced(database: Database, token: LeaseToken): Promise<Replacement | null> {
  const { rows } = await database.pool.query<Replacement>({
    name: 'write-replaced',
    text: `UPDATE devices SET state = 'connecting', state_reason = ${reason}, state_detail = NULL, state_until = NULL,
             state_at = CASE WHEN state = 'connecting' THEN state_at ELSE now() END,
             last_connected_at = CASE WHEN state = 'connected' THEN now() ELSE last_connected_at END,
             replaced_at = ${lately} || now()::timestamptz(3)
           WHERE id = $1 AND ${holdsLease} RETURNING state_reason AS reason, cardinality(replaced_at) AS times`,
    values: [token.deviceId, token.owner, token.epoch],
  });
  return rows[0] ?? null;
}

/**
 * A person wants the device to connect again, and the count starts again. Does not disturb a device that is connected
 * or connecting. Returns false if the account has no such linked device.
 */
export async function requestReconnect(
  database: Database,
  accountId: AccountId,
  deviceId: DeviceId,
  audit?: Audit,
): Promise<boolean> {
  return audited(database, audit, deviceId, async (queryable) => {
    const { rowCount } = await queryable.query({
      name: 'request-reconnect',
      text: `UPDATE devices SET replaced_at = '{}',
             state_reason = CASE WHEN state_reason = 'contested' THEN NULL ELSE state_reason END
           WHERE account_id = $1 AND id = $2 AND linked AND desired_state = 'linked'`,
      values: [accountId, deviceId],
    });
    return rowCount === 1;
  });
}
