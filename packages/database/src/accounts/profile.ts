/** Changes of a person's own profile. The audit log of each account of the person shows them. */
import { createHash, randomBytes } from 'node:crypto';
import { newId, type UserId } from '@kurir/contracts';
import pg from 'pg';
import { type Database, inTransaction } from '../postgres/connect.js';
import { type Audit, noteAudit } from './audit.js';

async function noteEverywhere(client: pg.PoolClient, userId: UserId, audit: Omit<Audit, 'accountId'>): Promise<void> {
  const { rows } = await client.query<Pick<Audit, 'accountId'>>(
    'SELECT account_id AS "accountId" FROM members WHERE user_id = $1 ORDER BY account_id',
    [userId],
  );
  for (const { accountId } of rows) await noteAudit(client, { ...audit, accountId }, userId);
}

export async function renamePerson(
  database: Database,
  userId: UserId,
  name: string,
  audit: Omit<Audit, 'accountId'>,
): Promise<void> {
  await inTransaction(database.pool, async (client) => {
    await client.query('UPDATE users SET name = $2, updated_at = now() WHERE id = $1', [userId, name]);
    await noteEverywhere(client, userId, audit);
  });
}

const identifierOf = (token: string) => `email-change:${createHash('sha256').update(token, 'utf8').digest('hex')}`;

/** SQL. The value of such a row is the person's id, a space and the new address. */
const isChangeOf = (userId: string) =>
  `starts_with(identifier, 'email-change:') AND split_part(value, ' ', 1) = ${userId}`;

/** Ends the link that waits for a confirmation, if there is one. */
export async function endEmailChange(client: pg.PoolClient, userId: UserId): Promise<void> {
  await client.query(`DELETE FROM verifications WHERE ${isChangeOf('$1')}`, [userId]);
}

export type EmailChange = {
  /** The token of the link, which is stored nowhere. Null: another person has the address, and there is no link. */
  readonly token: string | null;
  readonly expiresAt: Date;
};

/** Begins to change the address, which is in lower case. A second request ends the link of the first. */
export async function requestEmailChange(
  database: Database,
  userId: UserId,
  email: string,
  audit: Omit<Audit, 'accountId'>,
): Promise<EmailChange> {
  const token = randomBytes(24).toString('base64url');
  return inTransaction(database.pool, async (client) => {
    await client.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [userId]);
    await endEmailChange(client, userId);
    const { rows } = await client.query<{ taken: boolean; expiresAt: Date }>(
      `SELECT EXISTS (SELECT 1 FROM users WHERE lower(email) = $1) AS taken, now() + interval '1 hour' AS "expiresAt"`,
      [email],
    );
    const [asked] = rows;
    if (asked === undefined) throw new Error('a query returned no row');
    const { taken, expiresAt } = asked;
    if (!taken)
      await client.query('INSERT INTO verifications (id, identifier, value, expires_at) VALUES ($1, $2, $3, $4)', [
        newId('idn'),
        identifierOf(token),
        `${userId} ${email}`,
        expiresAt,
      ]);
    await noteEverywhere(client, userId, audit);
    return { token: taken ? null : token, expiresAt };
  });
}

const uniqueViolation = '23505';

/**
 * Gives the person the address of the link, and ends the links that were mailed to the old one. Returns the address, or null
 * if the link was used, has ended or is for another person, or if somebody else took the address meanwhile.
 */
export async function confirmEmailChange(
  database: Database,
  userId: UserId,
  token: string,
  audit: Omit<Audit, 'accountId'>,
): Promise<string | null> {
  try {
    return await inTransaction(database.pool, async (client) => {
      await client.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [userId]);
      const { rows } = await client.query<{ email: string }>(
        `DELETE FROM verifications WHERE identifier = $1 AND ${isChangeOf('$2')} AND expires_at > now()
         RETURNING split_part(value, ' ', 2) AS email`,
        [identifierOf(token), userId],
      );
      const [taken] = rows;
      if (taken === undefined) return null;
      const { rowCount } = await client.query(
        `UPDATE users SET email = $2, email_verified = true, updated_at = now()
         WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM users o WHERE lower(o.email) = $2)`,
        [userId, taken.email],
      );
      if (rowCount === 0) return null;
      await client.query('DELETE FROM verifications WHERE strpos(value, $1) > 0', [userId]);
      await noteEverywhere(client, userId, audit);
      return taken.email;
    });
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === uniqueViolation) return null;
    throw error;
  }
}
