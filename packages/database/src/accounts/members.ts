/** The members of accounts. Each request reads the role again, so a change counts at once. */
import { type AccountId, limits, newId, type UserId, usualCountry } from '@kurir/contracts';
import type { MemberRole } from '@kurir/contracts/dashboard';
import type pg from 'pg';
import { type Database, inTransaction } from '../postgres/connect.js';
import { type Audit, auditWrites, noteAudit } from './audit.js';
import { endKnownKeys, type KnownKey, type KnownKeysRule } from './known-keys.js';

export type Membership = {
  readonly accountId: AccountId;
  readonly name: string;
  /** The country of the account. */
  readonly country: string;
  readonly role: MemberRole;
  /** Why an operator has suspended the account. Null: it is not suspended. */
  readonly suspendedReason: string | null;
};

/** The person's accounts, in the order in which the person joined. */
export async function listMemberships(database: Database, userId: UserId): Promise<Membership[]> {
  const { rows } = await database.pool.query<Membership>({
    name: 'list-memberships',
    text: `SELECT m.account_id AS "accountId", a.name, a.country, m.role, a.suspended_reason AS "suspendedReason" FROM members m JOIN accounts a ON a.id = m.account_id
           WHERE m.user_id = $1 ORDER BY m.joined_at, m.account_id`,
    values: [userId],
  });
  return rows;
}

/** `opened`: this call has opened the person's account. */
export type Ensured = { readonly memberships: readonly Membership[]; readonly opened: boolean };

/**
 * The person's memberships. A person without one gets an account with `trialMessages` messages, if that is not 0. Only the
 * first account of a person has some. Two requests at once make one account.
 */
export async function ensureMemberships(
  database: Database,
  user: { readonly id: UserId; readonly name: string },
  trialMessages: number,
  address: string | null = null,
): Promise<Ensured> {
  const present = await listMemberships(database, user.id);
  if (present.length > 0) return { memberships: present, opened: false };
  const opened = await inTransaction(database.pool, async (client) => {
    await client.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [user.id]);
    const { rows } = await client.query<{ had_account: boolean }>(
      `SELECT had_account FROM users u WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM members m WHERE m.user_id = u.id)`,
      [user.id],
    );
    const [person] = rows;
    if (person === undefined) return false;
    const accountId = await openAccount(client, user, person.had_account ? 0 : trialMessages);
    const audit = { accountId, actor: user.id, action: 'account.created', address } as const;
    await noteAudit(client, audit, accountId);
    return true;
  });
  return { memberships: await listMemberships(database, user.id), opened };
}

type NewOwner = {
  readonly id: UserId;
  /** The name of the account. */
  readonly name: string;
  /** The country of the account. Left out: the one that the person named at the sign-up. */
  readonly country?: string | undefined;
};

/** Opens an account for a person who owns none, and returns it. Null: the person owns one. */
export async function openOwnAccount(
  database: Database,
  user: NewOwner,
  trialMessages: number,
  audit: Omit<Audit, 'accountId'>,
): Promise<AccountId | null> {
  return inTransaction(database.pool, async (client) => {
    await client.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [user.id]);
    const { rows } = await client.query<{ had_account: boolean }>(
      `SELECT had_account FROM users WHERE id = $1
         AND NOT EXISTS (SELECT 1 FROM members m WHERE m.user_id = $1 AND m.role = 'owner')`,
      [user.id],
    );
    const [person] = rows;
    if (person === undefined) return null;
    const accountId = await openAccount(client, user, person.had_account ? 0 : trialMessages);
    await noteAudit(client, { ...audit, accountId }, accountId);
    return accountId;
  });
}

async function openAccount(client: pg.PoolClient, user: NewOwner, trialMessages: number): Promise<AccountId> {
  const accountId = newId('acc');
  await client.query(
    `INSERT INTO accounts (id, name, country) SELECT $1, $2, coalesce($3, country, $4) FROM users WHERE id = $5`,
    [accountId, user.name, user.country ?? null, usualCountry, user.id],
  );
  await client.query(`INSERT INTO members (account_id, user_id, role) VALUES ($1, $2, 'owner')`, [accountId, user.id]);
  await client.query('UPDATE users SET had_account = true WHERE id = $1', [user.id]);
  if (trialMessages === 0) return accountId;
  await client.query(
    `INSERT INTO subscription_periods (id, account_id, plan_name, plan_type, starts_at, ends_at, initial_quota, max_devices, is_trial)
     VALUES (gen_random_uuid(), $1, 'Trial', 'TIME_BASED', now(), now() + make_interval(days => $2), $3, $4, true)`,
    [accountId, limits.trialDays, trialMessages, limits.trialMaxDevices],
  );
  return accountId;
}

export async function addMember(
  database: Database,
  accountId: AccountId,
  userId: UserId,
  role: MemberRole,
): Promise<void> {
  await database.pool.query(
    'INSERT INTO members (account_id, user_id, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [accountId, userId, role],
  );
}

export async function renameAccount(
  database: Database,
  accountId: AccountId,
  name: string,
  audit?: Audit,
): Promise<void> {
  const { prisma } = database;
  const renamed = prisma.account.update({ where: { id: accountId }, data: { name } });
  await prisma.$transaction([renamed, ...auditWrites(database, audit, accountId)]);
}

export type MemberRow = {
  readonly userId: UserId;
  readonly email: string;
  readonly name: string;
  readonly role: MemberRole;
  readonly twoFactor: boolean;
  readonly joinedAt: Date;
};

/** The account's members, in the order in which they joined. With `userId`, only that member. */
export async function listMembers(database: Database, accountId: AccountId, userId?: string): Promise<MemberRow[]> {
  const { rows } = await database.pool.query<MemberRow>(
    `SELECT u.id AS "userId", u.email, u.name, m.role, coalesce(u.two_factor_enabled, false) AS "twoFactor",
            m.joined_at AS "joinedAt"
     FROM members m JOIN users u ON u.id = m.user_id
     WHERE m.account_id = $1 AND ($2::text IS NULL OR u.id = $2) ORDER BY m.joined_at, u.id`,
    [accountId, userId ?? null],
  );
  return rows;
}

/** The keys that the person knows and may not know any more, or the reason why nothing changed. */
export type MemberChange = { readonly keys: readonly KnownKey[] } | 'not-found' | 'last-owner';

const keepAll: KnownKeysRule = { mayKnow: () => false, revoke: null };

/**
 * Locks the account, so that two owners cannot demote each other at the same time and leave it without one. A new key may
 * still refer to the account: its maker holds a lock that this change waits for.
 */
async function lockMembers(client: pg.PoolClient, accountId: AccountId): Promise<Map<string, MemberRole>> {
  await client.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
  const { rows } = await client.query<{ user_id: string; role: MemberRole }>(
    'SELECT user_id, role FROM members WHERE account_id = $1',
    [accountId],
  );
  return new Map(rows.map((row) => [row.user_id, row.role]));
}

function wouldOrphan(members: ReadonlyMap<string, MemberRole>, userId: string): boolean {
  const owners = [...members].filter(([, role]) => role === 'owner').map(([id]) => id);
  return owners.length === 1 && owners[0] === userId;
}

/** An invitation may not outlive the right to invite: the person could come back by it. */
async function endInvitationsOf(client: pg.PoolClient, accountId: AccountId, userId: string): Promise<void> {
  await client.query('DELETE FROM invitations WHERE account_id = $1 AND invited_by = $2', [accountId, userId]);
}

export async function changeMemberRole(
  database: Database,
  accountId: AccountId,
  userId: string,
  role: MemberRole,
  audit?: Audit,
  rule: KnownKeysRule = keepAll,
): Promise<MemberChange> {
  return inTransaction(database.pool, async (client) => {
    const members = await lockMembers(client, accountId);
    if (!members.has(userId)) return 'not-found';
    if (role !== 'owner' && wouldOrphan(members, userId)) return 'last-owner';
    await client.query('UPDATE members SET role = $3 WHERE account_id = $1 AND user_id = $2', [
      accountId,
      userId,
      role,
    ]);
    if (role !== 'owner') await endInvitationsOf(client, accountId, userId);
    if (audit !== undefined) await noteAudit(client, audit, userId);
    return { keys: await endKnownKeys(client, accountId, userId, rule) };
  });
}

export async function removeMember(
  database: Database,
  accountId: AccountId,
  userId: string,
  audit?: Audit,
  rule: KnownKeysRule = keepAll,
): Promise<MemberChange> {
  return inTransaction(database.pool, async (client) => {
    const members = await lockMembers(client, accountId);
    if (!members.has(userId)) return 'not-found';
    if (wouldOrphan(members, userId)) return 'last-owner';
    await client.query('DELETE FROM members WHERE account_id = $1 AND user_id = $2', [accountId, userId]);
    await endInvitationsOf(client, accountId, userId);
    if (audit !== undefined) await noteAudit(client, audit, userId);
    return { keys: await endKnownKeys(client, accountId, userId, rule) };
  });
}
