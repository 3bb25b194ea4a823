/** The browsers in which people have signed in. A browser has a token in a cookie; the table has the hash of it. */
import type { UserId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';

const knownForDays = 180;
const keptPerPerson = 30;

/** Returns the first of the hashes that belongs to the person with this address, or null. */
export async function findKnownBrowser(
  { pool }: Database,
  email: string,
  tokenHashes: readonly string[],
): Promise<string | null> {
  const { rows } = await pool.query<{ token_hash: string }>(
    `SELECT b.token_hash FROM known_browsers b JOIN users u ON u.id = b.user_id
     WHERE b.token_hash = ANY($1) AND lower(u.email) = lower($2)
       AND b.last_used_at > now() - make_interval(days => ${knownForDays}) LIMIT 1`,
    [tokenHashes, email],
  );
  return rows[0]?.token_hash ?? null;
}

/** Adds the browser, or notes that it was used now. Deletes the person's oldest browsers beyond the limit. */
export async function rememberBrowser({ pool }: Database, userId: UserId, tokenHash: string): Promise<void> {
  await pool.query(
    `INSERT INTO known_browsers (token_hash, user_id) VALUES ($1, $2)
     ON CONFLICT (token_hash) DO UPDATE SET last_used_at = now() WHERE known_browsers.user_id = $2`,
    [tokenHash, userId],
  );
  await pool.query(
    `DELETE FROM known_browsers WHERE user_id = $1 AND (last_used_at <= now() - make_interval(days => ${knownForDays})
       OR token_hash NOT IN (SELECT token_hash FROM known_browsers WHERE user_id = $1
                             ORDER BY last_used_at DESC LIMIT ${keptPerPerson}))`,
    [userId],
  );
}
