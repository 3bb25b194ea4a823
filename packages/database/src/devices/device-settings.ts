/** The settings that a customer may change: name, pace, limits, typing and proxy. */
import { type AccountId, type DeviceId, defaultSandbox, isNetwork, networks, type Politeness } from '@kurir/contracts';
import { type Audit, audited } from '../accounts/audit.js';
import type { Database } from '../postgres/connect.js';
import type { Sealer } from '../postgres/sealer.js';
import { rewritePace } from './device-pace.js';
import { sealDeviceProxy } from './device-proxy.js';

/** The settings of a new device of the network. */
export const defaultPoliteness = (network: string): Politeness =>
  networks[isNetwork(network) ? network : defaultSandbox].politeness;

/** The fixed limit for workers of an older version, which do not know the automatic one. */
const withoutHealth = 20;

/** The columns of a limit of new contacts. */
export const limitColumns = (limit: Politeness['newContactsPerDay']) => ({
  newContactsPerDay: limit === 'automatic' ? withoutHealth : limit,
  newContactsAutomatic: limit === 'automatic',
});

/** An absent or undefined field keeps its value. */
export type DeviceChanges = { readonly [Key in keyof Politeness]?: Politeness[Key] | undefined } & {
  readonly name?: string | undefined;
  /** Whether messages in groups arrive. */
  readonly groups?: 'none' | 'all' | undefined;
  /**
   * False: the request named a limit but no policy; perhaps the client sends back a value that it read. If that is the
   * stored number, the device keeps its automatic limit. Default true.
   */
  readonly isPolicySaid?: boolean | undefined;
  /** `socks5://` or `http://`, with its password. Null: none. */
  readonly proxyUrl?: string | null | undefined;
};

/**
 * Changes settings at once. A new pace counts from the last message. The worker reconnects the device for a new proxy.
 * Returns false if the account has no such device.
 */
export async function changeDevice(
  database: Database,
  sealer: Sealer,
  accountId: AccountId,
  deviceId: DeviceId,
  { name, pacePerMinute, paceJitterMs, newContactsPerDay, isPolicySaid, typingMs, proxyUrl, groups }: DeviceChanges,
  audit?: Audit,
): Promise<boolean> {
  // Null is a value of some fields, so a separate parameter says whether the field is present.
  const limit = limitColumns(newContactsPerDay ?? null);
  return audited(database, audit, deviceId, async (queryable) => {
    const { rowCount } = await queryable.query(
      `WITH before AS (SELECT id, pace_per_minute FROM devices WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE),
     after AS (
     UPDATE devices SET name = coalesce($3, name), pace_jitter_ms = coalesce($4, pace_jitter_ms),
       typing_ms = coalesce($5, typing_ms), groups = coalesce($14, groups),
       pace_per_minute = CASE WHEN $6::boolean THEN $7::int ELSE pace_per_minute END,
       new_contacts_per_day = CASE WHEN $8::boolean THEN $9::int ELSE new_contacts_per_day END,
       new_contacts_automatic = CASE
         WHEN NOT $8::boolean OR (NOT $13::boolean AND new_contacts_per_day IS NOT DISTINCT FROM $9) THEN new_contacts_automatic
         ELSE $10::boolean END,
       proxy_sealed = CASE WHEN $11::boolean THEN $12::bytea ELSE proxy_sealed END
     WHERE id = (SELECT id FROM before) RETURNING id, pace_per_minute),
     paced AS (${rewritePace('before', 'after')})
     SELECT id FROM after`,
      [
        accountId,
        deviceId,
        name ?? null,
        paceJitterMs ?? null,
        typingMs ?? null,
        pacePerMinute !== undefined,
        pacePerMinute ?? null,
        newContactsPerDay !== undefined,
        limit.newContactsPerDay,
        limit.newContactsAutomatic,
        proxyUrl !== undefined,
        sealDeviceProxy(sealer, deviceId, proxyUrl ?? null),
        isPolicySaid ?? true,
        groups ?? null,
      ],
    );
    return rowCount === 1;
  });
}
