/** People and their sessions, as far as better-auth does not manage them. */
import { type AccountId, type Language, newId, type UserId } from '@kurir/contracts';
import { type Database, inTransaction } from '../postgres/connect.js';
import { type Audit, auditWrites, noteAudit } from './audit.js';

/** Chooses the account that a session shows. */
export async function chooseSessionAccount(database: Database, sessionId: string, accountId: AccountId): Promise<void> {
  await database.prisma.session.updateMany({ where: { id: sessionId }, data: { accountId } });
}

/** Chooses the language of a person's mails. */
export async function chooseLanguage({ pool }: Database, userId: UserId, language: Language): Promise<void> {
  await pool.query('UPDATE users SET language = $2 WHERE id = $1', [userId, language]);
}

/** Notes that the person confirmed a second factor now. Returns the time. */
export async function confirmSession(database: Database, sessionId: string, audit: Audit): Promise<Date> {
  return inTransaction(database.pool, async (client) => {
    const { rows } = await client.query<{ confirmed_at: Date }>(
      'UPDATE sessions SET confirmed_at = now() WHERE id = $1 RETURNING confirmed_at',
      [sessionId],
    );
    const [row] = rows;
    if (row === undefined) throw new Error('the session is gone');
    await noteAudit(client, audit, audit.actor);
    return row.confirmed_at;
  });
}

export type Person = { readonly id: UserId; readonly email: string; readonly name: string };

/** The person who signs in with this address, or null. */
export async function findPerson(database: Database, email: string): Promise<Person | null> {
  const { rows } = await database.pool.query<Person>(
    'SELECT id, email, name FROM users WHERE lower(email) = lower($1)',
    [email],
  );
  return rows[0] ?? null;
}

/** Makes a person an operator of this gateway, or ends that. */
export async function setOperator(database: Database, userId: UserId, isAdmin: boolean, audit?: Audit): Promise<void> {
  const { prisma } = database;
  const changed = prisma.user.update({ where: { id: userId }, data: { isAdmin } });
  await prisma.$transaction([changed, ...auditWrites(database, audit, userId)]);
}

/**
 * Makes a person who signs in with a password. If somebody has the address already, returns that person's id and
 * changes nothing.
 */
export async function ensurePerson(
  database: Database,
  person: { readonly email: string; readonly name: string; readonly passwordHash: string; readonly isAdmin: boolean },
): Promise<UserId> {
  const { email, name, passwordHash, isAdmin } = person;
  const present = await findPerson(database, email);
  if (present !== null) return present.id;
  const id = newId('usr');
  const method = { id: newId('idn'), accountId: id, providerId: 'credential', password: passwordHash };
  await database.prisma.user.create({
    data: { id, email, name, isAdmin, emailVerified: true, signInMethods: { create: method } },
  });
  return id;
}

/** Replaces the hash of a person's password if `mayReplace` accepts the present one. */
export async function replacePasswordHash(
  { prisma }: Database,
  userId: UserId,
  passwordHash: string,
  mayReplace: (present: string) => Promise<boolean>,
): Promise<void> {
  const method = await prisma.signInMethod.findFirst({ where: { userId, providerId: 'credential' } });
  if (method === null || method.password === null || !(await mayReplace(method.password))) return;
  const { id, password } = method;
  await prisma.signInMethod.updateMany({ where: { id, password }, data: { password: passwordHash } });
}
