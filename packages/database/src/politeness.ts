/**
 * How a device spares its account: the network restricts numbers that write fast, evenly, or to many strangers. New
 * WhatsApp devices start with these; the customer may change each.
 */
import type { AccountId, DeviceId } from '@kurir/contracts';
import type { Database } from './connect.js';

export type Politeness = {
  /** Messages per minute; null: as fast as the network takes them. */
  readonly pacePerMinute: number | null;
  /** A turn waits beyond the pace for a random time up to this; at most 5,000. */
  readonly paceJitterMs: number;
  /** People never written to nor heard from whom the device writes to within 24 hours; null: no limit. */
  readonly newContactsPerDay: number | null;
  /** The recipient is shown typing for so long before each text; 0: not. At most 5,000. */
  readonly typingMs: number;
};

const politeToAccounts: Politeness = { pacePerMinute: 20, paceJitterMs: 2_000, newContactsPerDay: 50, typingMs: 0 };
const hasty: Politeness = { pacePerMinute: null, paceJitterMs: 0, newContactsPerDay: null, typingMs: 0 };

/** What a new device of the network starts with. */
export function defaultPoliteness(network: string): Politeness {
  return network === 'whatsapp' ? politeToAccounts : hasty;
}

/** Counts from the next turn on; the pace from the next opening of the lane. False when the account has no such device. */
export async function writePoliteness(
  database: Database,
  accountId: AccountId,
  deviceId: DeviceId,
  politeness: Politeness,
): Promise<boolean> {
  const { pacePerMinute, paceJitterMs, newContactsPerDay, typingMs } = politeness;
  const { rowCount } = await database.pool.query(
    `UPDATE devices SET pace_per_minute = $3, pace_jitter_ms = $4, new_contacts_per_day = $5, typing_ms = $6
     WHERE account_id = $1 AND id = $2`,
    [accountId, deviceId, pacePerMinute, paceJitterMs, newContactsPerDay, typingMs],
  );
  return rowCount === 1;
}
