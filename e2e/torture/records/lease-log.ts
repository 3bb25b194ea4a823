/**
 * The history of the leases. The gateway keeps only the present lease of a device. A trigger in this run's database
 * records every change, so that a check can judge the logins of the network.
 */
import type { Database } from '@kurir/database';

export type LeaseChange = {
  readonly at: number;
  readonly owner: string | null;
  readonly epoch: string;
  readonly expiresAt: number;
};

/** May run again on the same database. */
export async function installLeaseLog({ pool }: Database): Promise<void> {
  await pool.query(`
    CREATE SCHEMA IF NOT EXISTS torture;
    CREATE TABLE IF NOT EXISTS torture.lease_log (
      n bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp(),
      device_id text NOT NULL, owner text, epoch bigint NOT NULL, expires_at timestamptz NOT NULL);
    CREATE OR REPLACE FUNCTION torture.log_lease() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO torture.lease_log (device_id, owner, epoch, expires_at)
        VALUES (NEW.device_id, NEW.owner, NEW.epoch, NEW.expires_at);
        RETURN NULL;
      END $$;
    CREATE OR REPLACE TRIGGER log_lease AFTER INSERT OR UPDATE ON device_leases
      FOR EACH ROW EXECUTE FUNCTION torture.log_lease();`);
}

/** The changes of each device, oldest first. */
export async function readLeaseLog({ pool }: Database): Promise<Map<string, LeaseChange[]>> {
  const { rows } = await pool.query<{
    device_id: string;
    at: Date;
    owner: string | null;
    epoch: bigint;
    expires_at: Date;
  }>('SELECT device_id, at, owner, epoch, expires_at FROM torture.lease_log ORDER BY n');
  const log = new Map<string, LeaseChange[]>();
  for (const row of rows) {
    const changes = log.get(row.device_id) ?? [];
    if (changes.length === 0) log.set(row.device_id, changes);
    const { owner } = row;
    changes.push({ at: row.at.getTime(), owner, epoch: String(row.epoch), expiresAt: row.expires_at.getTime() });
  }
  return log;
}
