/** The number of devices that an account may have. Its running periods say it; without one, it is that of a trial. */
import { type AccountId, limits } from '@kurir/contracts';
import type pg from 'pg';
import type { Database } from '../postgres/connect.js';

const open = 'p.starts_at <= now() AND p.ends_at > now()';

/** SQL: the most devices of an account. */
const maxDevices = (account: string) => `coalesce(
  (SELECT max(p.max_devices) FROM subscription_periods p WHERE p.account_id = ${account} AND ${open}), ${limits.trialMaxDevices})`;

/** SQL: somebody paid for a running period of the account, or an operator granted it. */
export const isPaying = (account: string): string =>
  `EXISTS (SELECT FROM subscription_periods p WHERE p.account_id = ${account} AND ${open} AND NOT p.is_trial)`;

type DeviceCounts = { readonly devices: number; readonly pairing: number; readonly max: number };

/** Counts the devices of an account. Makes others who count them wait until the transaction ends. */
export async function lockAndCountDevices(client: pg.PoolClient, accountId: AccountId): Promise<DeviceCounts> {
  const { rowCount } = await client.query(
    'SELECT FROM accounts WHERE id = $1 AND erasure_begun_at IS NULL FOR NO KEY UPDATE',
    [accountId],
  );
  // An account that is being erased has room for nothing.
  return rowCount === 1 ? countDevices(client, accountId) : { devices: 0, pairing: limits.pairingMaxDevices, max: 0 };
}

async function countDevices(client: Pick<pg.PoolClient, 'query'>, accountId: AccountId): Promise<DeviceCounts> {
  const { rows } = await client.query<DeviceCounts>(
    `SELECT count(*)::int AS devices, (count(*) FILTER (WHERE state = 'pairing'))::int AS pairing, ${maxDevices('$1')} AS max
     FROM devices WHERE account_id = $1 AND deleted_at IS NULL`,
    [accountId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a count without a row');
  return row;
}

/** The counts of this moment, to show them. Another request may change them meanwhile. */
export const readDeviceCounts = ({ pool }: Database, accountId: AccountId): Promise<DeviceCounts> =>
  countDevices(pool, accountId);
