/** Hooks on better-auth's routes: they limit guesses of passwords and codes, and write the audit log. */
import { type SignInAction, isDisplayName, limits, type UserId } from '@kurir/contracts';
import { type Database, listMemberships, noteSignIn } from '@kurir/database';
import type { AttemptLimits } from '@kurir/queue';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { countCodeGuess } from './code-guesses.js';
import type { NoteRefusal } from './note-refusals.js';
import type { PasswordGuesses } from './password-guesses.js';

const audited: Readonly<Record<string, SignInAction>> = {
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

type NewSession = { readonly user: object } | null;

/**
 * A code may only confirm a running session, and then no session begins. A password alone begins no session if a code
 * must follow.
 */
function actionOf(path: string, newSession: NewSession): SignInAction | undefined {
  const action = audited[path];
  if (action !== 'session.began') return action;
  if (newSession === null) return undefined;
  const needsCode = 'twoFactorEnabled' in newSession.user && newSession.user.twoFactorEnabled === true;
  return path === '/sign-in/email' && needsCode ? 'password.accepted' : action;
}

/** Writes the action to the audit log of every account of the person, because the session can open all of them. */
async function note(database: Database, userId: UserId, action: SignInAction): Promise<void> {
  for (const { accountId } of await listMemberships(database, userId))
    await noteSignIn(database, userId, { accountId, action });
}

function textOf(body: unknown, field: 'email' | 'name'): string {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, field) : '';
  return typeof value === 'string' ? value : '';
}

const codePaths: ReadonlySet<string | undefined> = new Set([
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
]);

/** In a session these take the password of the person. A stolen session must not be a way to guess it. */
const passwordPaths: ReadonlySet<string | undefined> = new Set([
  '/change-password',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/get-totp-uri',
  '/two-factor/generate-backup-codes',
]);

const inSessionOf = (userId: string) => `session ${userId}`;

function refuseGuess(seconds: number, what: string): void {
  if (seconds === 0) return;
  throw new APIError(
    'TOO_MANY_REQUESTS',
    { code: 'TOO_MANY_GUESSES', message: `Too many ${what}. Try again in ${Math.ceil(seconds / 60)} min.` },
    { 'X-Retry-After': String(seconds) },
  );
}

/** better-auth accepts any text, but the name of a person becomes the name of an account and appears in mails. */
function checkName(body: unknown): void {
  const name = textOf(body, 'name');
  if (name === '' || (name.length <= limits.accountNameMaxLength && isDisplayName(name))) return;
  const message = `The name must be one line of up to ${limits.accountNameMaxLength} characters, without an address.`;
  throw new APIError('BAD_REQUEST', { code: 'INVALID_NAME', message });
}

/** The password was right even if better-auth refuses the sign-in because the address is not confirmed yet. */
const wasRight = (returned: unknown): boolean =>
  !(returned instanceof APIError) || returned.body?.code === 'EMAIL_NOT_VERIFIED';

export function passwordHooks(
  guesses: PasswordGuesses,
  attempts: AttemptLimits,
  database: Database,
  noteRefusal: NoteRefusal,
) {
  return {
    before: createAuthMiddleware(async (ctx) => {
      if (ctx.path === '/sign-in/email') refuseGuess(await guesses.count(textOf(ctx.body, 'email')), 'wrong passwords');
      // A call without a request comes from accounts/confirm-session.ts, which has counted the code.
      const inSession = codePaths.has(ctx.path) && ctx.request !== undefined ? await getSessionFromCtx(ctx) : null;
      if (inSession !== null) refuseGuess(await countCodeGuess(attempts, inSession.user.id), 'codes');
      const passwordOwner = passwordPaths.has(ctx.path) ? await getSessionFromCtx(ctx) : null;
      // Counted apart from signing in: a stranger must not lock the owner out of a running session, nor a thief of signing in.
      if (passwordOwner !== null)
        refuseGuess(await guesses.count(inSessionOf(passwordOwner.user.id)), 'wrong passwords');
      if (ctx.path === '/sign-up/email' || ctx.path === '/update-user') checkName(ctx.body);
    }),
    after: createAuthMiddleware(async (ctx) => {
      const { returned, newSession, session } = ctx.context;
      if (ctx.path === '/sign-in/email' && wasRight(returned)) await guesses.forget(textOf(ctx.body, 'email'));
      if (ctx.path === '/sign-in/email' && !wasRight(returned)) noteRefusal(textOf(ctx.body, 'email'));
      if (returned instanceof APIError) return;
      const user = (newSession ?? session)?.user;
      if (passwordPaths.has(ctx.path) && user !== undefined) await guesses.forget(inSessionOf(user.id));
      const action = actionOf(ctx.path, newSession);
      // Only newId('usr') makes the ids of people.
      if (action !== undefined && user !== undefined) await note(database, user.id as UserId, action);
    }),
  };
}
