/**
 * Configures better-auth: e-mail and password (argon2id), authenticator codes, passkeys and sessions. Its routes stand
 * under /app/api/auth. The account that a session shows is our own field of the session (switch-account.ts).
 */
import { passkey, type PasskeyOptions } from '@better-auth/passkey';
import { newId } from '@kurir/contracts';
import type { Database } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { AttemptLimits } from '@kurir/queue';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { twoFactor } from 'better-auth/plugins';
import { cookieNames } from './cookie-names.js';
import { type LimitedMail, mayMail } from '../mail/mail-limit.js';
import type { Mail, Mailer } from '../mail/mailer.js';
import { knownAddressMail, resetMail, verifyMail } from '../mail/mails.js';
import { hashPassword, verifyPassword } from './passwords/password-hash.js';
import { createNoteRefusal } from './passwords/note-refusals.js';
import { createPasswordGuesses } from './passwords/password-guesses.js';
import { passwordHooks } from './passwords/password-hooks.js';

export const authPath = '/app/api/auth';

/** Carries the address of the caller to better-auth. A header of this name from a client is dropped. */
export const clientIpHeader = 'x-kurir-client-ip';

const minute = 60;
const idleSeconds = 60 * minute;
const refreshSeconds = 5 * minute;
/** After this time the person must sign in again, even after an active session. */
export const sessionMaxSeconds = 12 * 60 * minute;

export type SignInOptions = {
  readonly database: Database;
  readonly mailer: Mailer;
  readonly limits: AttemptLimits;
  readonly logger: Logger;
  readonly secret: string;
  readonly publicUrl: string;
  readonly signUp: boolean;
  /** Whether a person must confirm the address by a mail before the first sign-in. */
  readonly confirmAddress: boolean;
};

const idPrefixes: Record<string, 'usr' | 'ses'> = { user: 'usr', session: 'ses' };

/**
 * A session that begins on one of these paths is confirmed: it saw a second factor, or a passkey, which counts as two.
 */
const confirmingPaths = new Set([
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/verify-authentication',
]);

/** Browsers refuse an IP address as the relying party of a passkey, so loopback uses `localhost`. */
function relyingParty(publicUrl: string) {
  const { hostname, port, origin } = new URL(publicUrl);
  const isLoopback = hostname === '127.0.0.1' || hostname === '[::1]';
  return isLoopback
    ? { rpID: 'localhost', origin: [`http://localhost:${port}`, origin] }
    : { rpID: hostname, origin: [origin] };
}

/** A passkey counts as two factors only if its device asked for a fingerprint, a face or a PIN. */
export function checkUserVerified(authenticationInfo: { readonly userVerified: boolean }): void {
  if (authenticationInfo.userVerified) return;
  const message = 'This passkey did not ask who you are. Set a PIN or a fingerprint for it, or use your password.';
  throw new APIError('UNAUTHORIZED', { code: 'USER_NOT_VERIFIED', message });
}

const passkeyOptions = {
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  authentication: {
    afterVerification: ({ verification }) => checkUserVerified(verification.authenticationInfo),
  },
} as const satisfies PasskeyOptions;

/**
 * Sends a mail that anybody can ask for, if the person had few of them. It waits for neither: the time would reveal whether
 * the address is known.
 */
function mailInBackground(options: SignInOptions, kind: LimitedMail, mail: Mail): Promise<void> {
  const { mailer, limits, logger } = options;
  mayMail(limits, kind, mail.recipient)
    .then((may) => (may ? mailer.send(mail) : logger.warn({ kind }, 'mail withheld, the person had too many')))
    .catch((err: unknown) => logger.error({ err }, 'mail not sent'));
  return Promise.resolve();
}

function emailOptions(options: SignInOptions): Pick<BetterAuthOptions, 'emailAndPassword' | 'emailVerification'> {
  const { publicUrl, signUp, confirmAddress } = options;
  return {
    emailAndPassword: {
      enabled: true,
      disableSignUp: !signUp,
      requireEmailVerification: confirmAddress,
      minPasswordLength: 10,
      maxPasswordLength: 128,
      password: { hash: hashPassword, verify: verifyPassword },
      resetPasswordTokenExpiresIn: 60 * minute,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) =>
        mailInBackground(options, 'reset', resetMail(user.email, `${publicUrl}/app/reset-password?token=${token}`)),
      onExistingUserSignUp: ({ user }) =>
        mailInBackground(options, 'known address', knownAddressMail(user.email, `${publicUrl}/app/sign-in`)),
    },
    emailVerification: {
      sendOnSignUp: confirmAddress,
      sendOnSignIn: confirmAddress,
      // An attacker could send a link of their own account to somebody, who would then be signed in to it.
      autoSignInAfterVerification: false,
      sendVerificationEmail: ({ user, url }) => mailInBackground(options, 'verification', verifyMail(user.email, url)),
    },
  };
}

const sessionOptions = {
  expiresIn: idleSeconds,
  updateAge: refreshSeconds,
  freshAge: 10 * minute,
  additionalFields: {
    accountId: { type: 'string', required: false, input: false },
    confirmedAt: { type: 'date', required: false, input: false },
  },
} as const satisfies BetterAuthOptions['session'];

function rateLimit(limits: AttemptLimits): BetterAuthOptions['rateLimit'] {
  return {
    enabled: true,
    window: minute,
    max: 120,
    customRules: {
      '/sign-in/email': { window: 15 * minute, max: 20 },
      '/sign-up/email': { window: 60 * minute, max: 10 },
      '/request-password-reset': { window: 60 * minute, max: 5 },
      '/send-verification-email': { window: 60 * minute, max: 5 },
      '/two-factor/verify-totp': { window: 5 * minute, max: 10 },
      '/two-factor/verify-backup-code': { window: 5 * minute, max: 5 },
      '/get-session': { window: minute, max: 600 },
    },
    customStorage: {
      async consume(key, { window, max }) {
        const { allowed, retryAfterSeconds } = await limits.take(`auth:${key}`, { max, windowSeconds: window });
        return { allowed, retryAfter: allowed ? null : retryAfterSeconds };
      },
    },
  };
}

/** Logs only the error. The other texts of better-auth may hold addresses. */
function authLogger(logger: Logger): BetterAuthOptions['logger'] {
  return {
    level: 'error',
    disableColors: true,
    log: (_level, _message, ...details: unknown[]) =>
      logger.error({ err: details.find((detail) => detail instanceof Error) }, 'better-auth reported an error'),
  };
}

/** Routes of better-auth that no page uses. Some take a password without a limit of their own. */
const disabledPaths = [
  '/verify-password',
  '/update-session',
  '/list-accounts',
  '/unlink-account',
  '/link-social',
  '/sign-in/social',
  '/get-access-token',
  '/refresh-token',
  '/account-info',
  '/two-factor/send-otp',
  '/two-factor/verify-otp',
] as const;

// better-auth infers the return type from these options. Written out, it would fill a page.
// oxlint-disable-next-line typescript/explicit-module-boundary-types
export function createSignIn(options: SignInOptions) {
  const { database, limits, logger, publicUrl, secret } = options;
  const isSecure = new URL(publicUrl).protocol === 'https:';
  return betterAuth({
    appName: 'Kurir',
    baseURL: publicUrl,
    basePath: authPath,
    secret,
    telemetry: { enabled: false },
    disabledPaths: [...disabledPaths],
    // A leaked backup must not open accounts with the tokens of mails.
    verification: { storeIdentifier: 'hashed' },
    database: prismaAdapter(database.prisma, { provider: 'postgresql', transaction: true }),
    ...emailOptions(options),
    user: { additionalFields: { isAdmin: { type: 'boolean', required: false, defaultValue: false, input: false } } },
    session: sessionOptions,
    account: { modelName: 'signInMethod' },
    rateLimit: rateLimit(limits),
    plugins: [
      twoFactor({ issuer: 'Kurir' }),
      passkey({ rpName: 'Kurir', ...relyingParty(publicUrl), ...passkeyOptions }),
    ],
    hooks: passwordHooks(createPasswordGuesses(limits), limits, database, createNoteRefusal(database, limits, logger)),
    databaseHooks: {
      session: {
        create: {
          before: (session, context) => {
            const confirmedAt = confirmingPaths.has(context?.path ?? '') ? { confirmedAt: new Date() } : {};
            return Promise.resolve({ data: { ...session, ...confirmedAt } });
          },
        },
      },
    },
    advanced: {
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure },
      cookies: cookieNames(isSecure),
      // same-origin.ts has checked every request before, even one without a cookie.
      disableCSRFCheck: true,
      ipAddress: { ipAddressHeaders: [clientIpHeader] },
      database: { generateId: ({ model }) => newId(idPrefixes[model] ?? 'idn') },
    },
    logger: authLogger(logger),
    onAPIError: { onError: (err) => logger.error({ err }, 'sign-in failed unexpectedly') },
  });
}

export type SignIn = ReturnType<typeof createSignIn>;
