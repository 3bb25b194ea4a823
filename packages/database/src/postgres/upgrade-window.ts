import type { Database } from './connect.js';

/**
 * Until when apis of the version before `message_contents` may run beside ours; null: the database never had one. They store
 * texts in `messages.body`, and understand only fingerprints of version 0.
 */
export async function readUpgradeWindow({ pool }: Database): Promise<{ endsAt: Date; leftMs: number } | null> {
  const { rows } = await pool.query<{ endsAt: Date; leftMs: number }>({
    name: 'read-upgrade-window',
    text: `SELECT ends_at AS "endsAt", (extract(epoch FROM ends_at - now()) * 1000)::float8 AS "leftMs"
           FROM upgrade_windows WHERE name = 'message_contents'`,
  });
  return rows[0] ?? null;
}
