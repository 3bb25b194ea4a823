/** Second factors and password resets, as far as better-auth does not manage them. */
import type { UserId } from '@kurir/contracts';
import { type Database, inTransaction } from '../postgres/connect.js';
import { noteAudit } from './audit.js';
import { listMemberships } from './members.js';
import { endEmailChange } from './profile.js';

export async function hasTwoFactor({ pool }: Database, userId: string): Promise<boolean> {
  const { rows } = await pool.query('SELECT 1 FROM users WHERE id = $1 AND two_factor_enabled', [userId]);
  return rows.length > 0;
}

/**
 * Takes a time step of RFC 6238 for the person. Returns false if a code of this step or of a later one was accepted
 * before. If two callers take the same step, only one gets true.
 */
export async function takeCodeStep({ pool }: Database, userId: string, step: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    'UPDATE two_factors SET last_used_step = $2 WHERE user_id = $1 AND coalesce(last_used_step, 0) < $2',
    [userId, step],
  );
  return rowCount === 1;
}

/** Ends the confirmations of the person's sessions except one, because two-factor sign-in now asks for more. */
export async function endOtherConfirmations({ pool }: Database, userId: string, sessionId: string): Promise<void> {
  await pool.query('UPDATE sessions SET confirmed_at = NULL WHERE user_id = $1 AND id <> $2', [userId, sessionId]);
}

/**
 * Ends what a stranger may have opened before the password was reset: sessions, known browsers, and the change to another
 * address. Ends passkeys too, unless the person keeps them. Returns how many passkeys it removed.
 */
export async function closeDoors(
  database: Database,
  userId: UserId,
  { keepPasskeys, address }: { readonly keepPasskeys: boolean; readonly address: string | null },
): Promise<number> {
  const memberships = await listMemberships(database, userId);
  return inTransaction(database.pool, async (client) => {
    await client.query('DELETE FROM sessions WHERE user_id = $1', [userId]);
    await client.query('DELETE FROM known_browsers WHERE user_id = $1', [userId]);
    await endEmailChange(client, userId);
    const { rowCount } = keepPasskeys
      ? { rowCount: 0 }
      : await client.query('DELETE FROM passkeys WHERE user_id = $1', [userId]);
    for (const { accountId } of memberships) {
      await noteAudit(client, { accountId, actor: userId, action: 'password.reset', address }, userId);
      if (rowCount) await noteAudit(client, { accountId, actor: userId, action: 'passkey.removed', address }, userId);
    }
    return rowCount ?? 0;
  });
}

export async function endSession({ pool }: Database, sessionId: string): Promise<void> {
  await pool.query('DELETE FROM sessions WHERE id = $1', [sessionId]);
}
