/**
 * Requests of an operator that devices forget their sessions with others, after a backup was restored. A request is
 * stored with the device. The worker that holds it closes the session, and the next session forgets before it connects.
 */
import { type AccountId, type DeviceId, newId } from '@kurir/contracts';
import type pg from 'pg';
import type { Audit } from '../accounts/audit.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import { holdsLease } from './device-session.js';
import type { LeaseToken } from './lease-token.js';

/** One device, all devices of an account, or all devices of a network. */
export type DeviceChoice =
  | { readonly deviceId: DeviceId }
  | { readonly accountId: AccountId }
  | { readonly network: string };

export type AskedDevice = {
  readonly deviceId: DeviceId;
  readonly accountId: AccountId;
  readonly name: string;
  readonly network: string;
};

type AskedRow = { id: DeviceId; account_id: AccountId; name: string; network: string };

/** One row for each device, in one statement, because a network may have thousands. */
async function noteAudits(client: pg.PoolClient, { actor, action }: Omit<Audit, 'accountId'>, asked: AskedDevice[]) {
  await client.query(
    `INSERT INTO audit_log (id, account_id, actor, action, subject)
     SELECT id, account_id, $4, $5, subject FROM unnest($1::text[], $2::text[], $3::text[]) AS one (id, account_id, subject)`,
    [
      asked.map(() => newId('aud')),
      asked.map(({ accountId }) => accountId),
      asked.map(({ deviceId }) => deviceId),
      actor,
      action,
    ],
  );
}

/**
 * Stores the request for each chosen device that is linked. A second request before the first is done changes nothing.
 */
export async function requestForgetSessions(
  database: Database,
  choice: DeviceChoice,
  audit?: Omit<Audit, 'accountId'>,
): Promise<AskedDevice[]> {
  return inTransaction(database.pool, async (client) => {
    const { rows } = await client.query<AskedRow>(
      `UPDATE devices SET forget_sessions_at = now()
     WHERE linked AND (id = $1 OR account_id = $2 OR network = $3) RETURNING id, account_id, name, network`,
      [
        'deviceId' in choice ? choice.deviceId : null,
        'accountId' in choice ? choice.accountId : null,
        'network' in choice ? choice.network : null,
      ],
    );
    const asked = rows.map(({ id, account_id: accountId, name, network }) => ({
      deviceId: id,
      accountId,
      name,
      network,
    }));
    if (audit !== undefined) await noteAudits(client, audit, asked);
    return asked;
  });
}

/** Clears the request of `askedAt`; a later request stays. Returns false if the lease is lost. */
export async function writeSessionsForgotten(database: Database, token: LeaseToken, askedAt: Date): Promise<boolean> {
  const { rowCount } = await database.pool.query({
    name: 'write-sessions-forgotten',
    text: `UPDATE devices SET forget_sessions_at = CASE WHEN forget_sessions_at <> $4 THEN forget_sessions_at END
           WHERE id = $1 AND ${holdsLease}`,
    values: [token.deviceId, token.owner, token.epoch, askedAt],
  });
  return rowCount === 1;
}
