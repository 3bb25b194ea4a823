/** Invitations to an account. Only the mail holds the token of the link; we store its hash. */
import { createHash, randomBytes } from 'node:crypto';
import { type AccountId, limits, newId, type UserId } from '@kurir/contracts';
import type { MemberRole } from '@kurir/contracts/dashboard';
import { type Database, inTransaction } from '../postgres/connect.js';
import { type Audit, audited, noteAudit } from './audit.js';

export type InvitationRow = {
  readonly id: string;
  readonly accountId: AccountId;
  readonly accountName: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

const hashOf = (token: string) => createHash('sha256').update(token, 'utf8').digest();

const columns = `i.id, i.account_id AS "accountId", a.name AS "accountName", i.email, i.role,
  i.created_at AS "createdAt", i.expires_at AS "expiresAt"`;

/** Open invitations, newest first. */
export async function listInvitations(database: Database, accountId: AccountId): Promise<InvitationRow[]> {
  const { rows } = await database.pool.query<InvitationRow>(
    `SELECT ${columns} FROM invitations i JOIN accounts a ON a.id = i.account_id
     WHERE i.account_id = $1 AND i.expires_at > now() ORDER BY i.created_at DESC, i.id`,
    [accountId],
  );
  return rows;
}

type Written = {
  readonly token: string;
  readonly invitation: InvitationRow;
  /** The language of the invited person, if somebody has the address and the language is known. */
  readonly language: string | null;
};

/**
 * Writes an invitation and returns it with the token of its link, which is stored nowhere. A second invitation to the
 * same address replaces the first.
 */
export async function writeInvitation(
  database: Database,
  invitation: {
    readonly accountId: AccountId;
    readonly email: string;
    readonly role: MemberRole;
    readonly invitedBy?: UserId;
  },
  audit?: Audit,
): Promise<Written | 'already-member'> {
  const { accountId, role, invitedBy = null } = invitation;
  const email = invitation.email.toLowerCase();
  const token = randomBytes(24).toString('base64url');
  return inTransaction(database.pool, async (client) => {
    const { rows } = await client.query<InvitationRow & Pick<Written, 'language'>>(
      `WITH i AS (
       INSERT INTO invitations (id, account_id, email, role, token_hash, expires_at, invited_by)
       SELECT $1, $2, $3, $4, $5, now() + make_interval(days => $6), $7
       WHERE NOT EXISTS (SELECT 1 FROM members m JOIN users u ON u.id = m.user_id WHERE m.account_id = $2 AND lower(u.email) = $3)
       ON CONFLICT (account_id, email) DO UPDATE SET id = excluded.id, role = excluded.role,
         token_hash = excluded.token_hash, created_at = now(), expires_at = excluded.expires_at,
         invited_by = excluded.invited_by
       RETURNING *)
     SELECT ${columns}, (SELECT u.language FROM users u WHERE lower(u.email) = $3 LIMIT 1) AS language
     FROM i JOIN accounts a ON a.id = i.account_id`,
      [newId('inv'), accountId, email, role, hashOf(token), limits.invitationDays, invitedBy],
    );
    const [made] = rows;
    if (made === undefined) return 'already-member';
    const { language, ...invitation } = made;
    if (audit !== undefined) await noteAudit(client, audit, invitation.id);
    return { token, invitation, language };
  });
}

export async function revokeInvitation(
  database: Database,
  accountId: AccountId,
  id: string,
  audit?: Audit,
): Promise<boolean> {
  return audited(database, audit, id, async (queryable) => {
    const { rowCount } = await queryable.query('DELETE FROM invitations WHERE account_id = $1 AND id = $2', [
      accountId,
      id,
    ]);
    return rowCount === 1;
  });
}

export type OpenInvitation = InvitationRow & {
  /** Null: the person is not known any more. */
  readonly invitedBy: { readonly name: string; readonly email: string } | null;
  /** Whether somebody signs in with the invited address already. */
  readonly registered: boolean;
};

/** The invitation of a link. Null if it was used, was revoked or has expired. */
export async function readInvitation(database: Database, token: string): Promise<OpenInvitation | null> {
  const { rows } = await database.pool.query<OpenInvitation>(
    `SELECT ${columns}, EXISTS (SELECT 1 FROM users u WHERE lower(u.email) = i.email) AS registered,
       CASE WHEN p.id IS NOT NULL THEN json_build_object('name', p.name, 'email', p.email) END AS "invitedBy"
     FROM invitations i JOIN accounts a ON a.id = i.account_id LEFT JOIN users p ON p.id = i.invited_by
     WHERE i.token_hash = $1 AND i.expires_at > now()`,
    [hashOf(token)],
  );
  return rows[0] ?? null;
}

/**
 * Adds the person to the account and deletes the invitation. Returns null if it is not open or is for another address,
 * and if there is no such person.
 */
export async function acceptInvitation(
  database: Database,
  token: string,
  user: { readonly id: UserId; readonly email: string },
  audit?: Omit<Audit, 'accountId'>,
): Promise<AccountId | null> {
  return inTransaction(database.pool, async (client) => {
    const { rows } = await client.query<{ account_id: AccountId; role: MemberRole }>(
      `DELETE FROM invitations WHERE token_hash = $1 AND email = $2 AND expires_at > now()
         AND EXISTS (SELECT 1 FROM users u WHERE u.id = $3)
       RETURNING account_id, role`,
      [hashOf(token), user.email.toLowerCase(), user.id],
    );
    const [taken] = rows;
    if (taken === undefined) return null;
    await client.query(
      `WITH joined AS (
         INSERT INTO members (account_id, user_id, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING *)
       INSERT INTO events (account_id, generation, subject_id, kind, state)
       SELECT account_id, event_generation(), user_id, 'member.joined', role FROM joined`,
      [taken.account_id, user.id, taken.role],
    );
    if (audit !== undefined) await noteAudit(client, { ...audit, accountId: taken.account_id }, user.id);
    return taken.account_id;
  });
}
