import type { Database } from './connect.js';

/**
 * The time in which apis of the version before `message_contents` may still run. Such an api stores texts in
 * `messages.body` and reads only fingerprints of version 0. Null: this database never had that version.
 */
export async function readUpgradeWindow({ pool }: Database): Promise<{ endsAt: Date; leftMs: number } | null> {
  const { rows } = await pool.query<{ endsAt: Date; leftMs: number }>({
    name: 'read-upgrade-window',
    text: `SELECT ends_at AS "endsAt", (extract(epoch FROM ends_at - now()) * 1000)::float8 AS "leftMs"
           FROM upgrade_windows WHERE name = 'message_contents'`,
  });
  return rows[0] ?? null;
}
