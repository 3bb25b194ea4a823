/** Around better-auth's routes: guesses at a password are counted per address, and what a person did is noted. */
import type { UserId } from '@kurir/contracts';
import { type Database, listMemberships, recordAudit } from '@kurir/database';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import type { PasswordGuesses } from './password-guesses.js';

const audited: Readonly<Record<string, string>> = {
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

/** The person's doings are noted in every account that they could open with them. */
async function note(database: Database, userId: UserId, action: string): Promise<void> {
  for (const { accountId } of await listMemberships(database, userId))
    await recordAudit(database, { accountId, actor: userId, action, subject: userId });
}

function emailOf(body: unknown): string {
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : '';
  return typeof email === 'string' ? email : '';
}

export function passwordHooks(guesses: PasswordGuesses, database: Database) {
  return {
    before: createAuthMiddleware(async (ctx) => {
      if (ctx.path !== '/sign-in/email') return;
      const seconds = await guesses.waitSeconds(emailOf(ctx.body));
      if (seconds === 0) return;
      throw new APIError(
        'TOO_MANY_REQUESTS',
        { code: 'TOO_MANY_GUESSES', message: `Too many wrong passwords. Try again in ${Math.ceil(seconds / 60)} min.` },
        { 'X-Retry-After': String(seconds) },
      );
    }),
    after: createAuthMiddleware(async (ctx) => {
      const { returned } = ctx.context;
      const failed = returned instanceof APIError;
      if (ctx.path === '/sign-in/email') {
        if (failed && returned.status === 'UNAUTHORIZED') await guesses.wrong(emailOf(ctx.body));
        if (!failed) await guesses.right(emailOf(ctx.body));
      }
      const action = audited[ctx.path];
      const user = (ctx.context.newSession ?? ctx.context.session)?.user;
      // Ids of people are made only by newId('usr').
      if (!failed && action !== undefined && user !== undefined) await note(database, user.id as UserId, action);
    }),
  };
}
