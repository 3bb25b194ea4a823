/** Names what a route of better-auth did, for the audit log and the mails. */
import type { SignInAction, UserId } from '@kurir/contracts';
import { type Database, listMemberships, noteSignIn } from '@kurir/database';

const actions: Readonly<Record<string, SignInAction>> = {
  '/sign-in/email': 'session.began',
  '/two-factor/verify-totp': 'session.began',
  '/two-factor/verify-backup-code': 'session.began',
  '/passkey/verify-authentication': 'session.began',
  '/change-password': 'password.changed',
  '/two-factor/disable': 'two_factor.disabled',
  '/two-factor/enable': 'two_factor.begun',
  '/two-factor/generate-backup-codes': 'two_factor.backup_codes_made',
  '/passkey/verify-registration': 'passkey.added',
  '/passkey/delete-passkey': 'passkey.removed',
  '/revoke-session': 'session.revoked',
  '/revoke-other-sessions': 'session.others_revoked',
  '/revoke-sessions': 'session.others_revoked',
};

type Sessions = {
  /** The session that the request made. */
  readonly newSession: { readonly user: object } | null;
  /** The session of the request. */
  readonly session: object | null;
};

/**
 * A code may only confirm a running session, and then no session begins. The first code of an authenticator replaces
 * the session. A password alone begins no session if a code must follow.
 */
export function actionOf(path: string, { newSession, session }: Sessions): SignInAction | undefined {
  const action = actions[path];
  if (action !== 'session.began') return action;
  if (newSession === null) return undefined;
  if (path === '/two-factor/verify-totp' && session !== null) return 'two_factor.enabled';
  const needsCode = 'twoFactorEnabled' in newSession.user && newSession.user.twoFactorEnabled === true;
  return path === '/sign-in/email' && needsCode ? 'password.accepted' : action;
}

/** Writes the action to the audit log of every account of the person, because the session can open all of them. */
export async function note(
  database: Database,
  userId: UserId,
  act: { readonly action: SignInAction; readonly address: string | null },
): Promise<void> {
  for (const { accountId } of await listMemberships(database, userId))
    await noteSignIn(database, userId, { accountId, ...act });
}
