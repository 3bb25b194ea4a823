import { type Database, hasTwoFactor } from '@kurir/database';
import type { BetterAuthOptions } from 'better-auth';
import { invitationOf } from '../sign-up/invited-sign-up.js';

/** Here the person gave a second factor, or a passkey, which counts as two. */
const confirmingPaths: ReadonlySet<string | undefined> = new Set([
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/verify-authentication',
]);

/** Here the person gave the password, which is enough without two-factor sign-in. */
const passwordPaths: ReadonlySet<string | undefined> = new Set(['/sign-in/email', '/sign-up/email']);

/** A session begins as confirmed if its sign-in saw all that the person has to give. */
export function sessionHooks(database: Database): NonNullable<BetterAuthOptions['databaseHooks']> {
  const isConfirmed = async (path: string | undefined, userId: string) =>
    confirmingPaths.has(path) || (passwordPaths.has(path) && !(await hasTwoFactor(database, userId)));
  return {
    user: {
      create: {
        before: async (user, context) => ({
          data: { ...user, ...(invitationOf(context) === null ? {} : { emailVerified: true }) },
        }),
      },
    },
    session: {
      create: {
        before: async (session, context) => {
          const confirmedAt = (await isConfirmed(context?.path, session.userId)) ? { confirmedAt: new Date() } : {};
          return { data: { ...session, ...confirmedAt } };
        },
      },
    },
  };
}
