/**
 * The credentials that a driver stores for a device, one sealed row for each key. A batch of changes is one statement.
 * It locks the row of the lease: an owner whose epoch has passed writes nothing.
 */

import type { Database } from '../postgres/connect.js';
import { RecordUnreadable, type Sealer } from '../postgres/sealer.js';
import type { LeaseToken } from './lease-token.js';

/** The writer no longer holds the device and must stop using the session. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

const leaseLost = ({ deviceId }: LeaseToken): LeaseLost => new LeaseLost(`another worker holds device ${deviceId}`);

/** Nobody can take the lease until the statement commits. */
const currentLease = `SELECT 1 FROM device_leases WHERE device_id = $1 AND owner = $2 AND epoch = $3 AND expires_at > now() FOR SHARE`;

export type CredentialRow = { readonly kind: string; readonly id: string; readonly value: Uint8Array | null };

export const credentialAad = (deviceId: string, kind: string, id: string) => `credential|${deviceId}|${kind}|${id}`;

/**
 * Reads and opens rows. If a row is damaged or sealed under another master key, it rejects with `RecordUnreadable`. The
 * error has the name of the row, never its value.
 */
export async function readCredentials(
  database: Database,
  sealer: Sealer,
  deviceId: string,
  kind: string,
  ids: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const { rows } = await database.pool.query<{ id: string; sealed: Buffer }>({
    name: 'read-credentials',
    text: `SELECT id, sealed FROM device_credentials WHERE device_id = $1 AND kind = $2 AND id = ANY ($3::text[])`,
    values: [deviceId, kind, ids],
  });
  return new Map(rows.map((row) => [row.id, sealer.open(row.sealed, credentialAad(deviceId, kind, row.id))]));
}

/** The text of one row. Null if it cannot be opened. */
export function openCredential(
  sealer: Sealer,
  { deviceId, kind, id }: { readonly deviceId: string; readonly kind: string; readonly id: string },
  sealed: Uint8Array,
): string | null {
  try {
    return sealer.open(sealed, credentialAad(deviceId, kind, id)).toString('utf8');
  } catch (error) {
    if (error instanceof RecordUnreadable) return null;
    throw error;
  }
}

/** Writes all changes or none. Rejects with `LeaseLost` if `token` no longer holds the lease. */
export async function writeCredentials(
  database: Database,
  sealer: Sealer,
  token: LeaseToken,
  changes: readonly CredentialRow[],
): Promise<void> {
  const { rows } = await database.pool.query<{ held: boolean }>({
    name: 'write-credentials',
    text: `WITH lease AS (${currentLease}),
           change AS (SELECT t.* FROM unnest($4::text[], $5::text[], $6::bytea[]) AS t (kind, id, sealed), lease),
           kept AS (
             INSERT INTO device_credentials (device_id, kind, id, sealed, epoch, updated_at)
             SELECT $1, kind, id, sealed, $3, now() FROM change WHERE sealed IS NOT NULL
             ON CONFLICT (device_id, kind, id) DO UPDATE
               SET sealed = excluded.sealed, epoch = excluded.epoch, updated_at = excluded.updated_at),
           erased AS (
             DELETE FROM device_credentials c USING change
             WHERE c.device_id = $1 AND c.kind = change.kind AND c.id = change.id AND change.sealed IS NULL)
           SELECT EXISTS (SELECT 1 FROM lease) AS held`,
    values: [
      token.deviceId,
      token.owner,
      token.epoch,
      changes.map((change) => change.kind),
      changes.map((change) => change.id),
      changes.map((change) =>
        change.value === null ? null : sealer.seal(change.value, credentialAad(token.deviceId, change.kind, change.id)),
      ),
    ],
  });
  if (rows[0]?.held !== true) throw leaseLost(token);
}

/** The rows of one commit. It locks the row of the lease, and renewals of the lease wait for that. */
const erasedAtOnce = 5_000;

/** Deletes all rows of these kinds in batches. Rejects with `LeaseLost` if `token` no longer holds the lease. */
export async function eraseCredentialKinds(
  database: Database,
  token: LeaseToken,
  kinds: readonly string[],
): Promise<void> {
  for (let erased = erasedAtOnce; erased === erasedAtOnce; ) {
    const { rows } = await database.pool.query<{ held: boolean; erased: number }>({
      name: 'erase-credential-kinds',
      text: `WITH lease AS (${currentLease}),
             erased AS (
               DELETE FROM device_credentials WHERE ctid = ANY (ARRAY(
                 SELECT c.ctid FROM device_credentials c, lease
                 WHERE c.device_id = $1 AND c.kind = ANY ($4::text[]) LIMIT $5)) RETURNING 1)
             SELECT EXISTS (SELECT 1 FROM lease) AS held, (SELECT count(*)::int FROM erased) AS erased`,
      values: [token.deviceId, token.owner, token.epoch, kinds, erasedAtOnce],
    });
    if (rows[0]?.held !== true) throw leaseLost(token);
    erased = rows[0].erased;
  }
}
