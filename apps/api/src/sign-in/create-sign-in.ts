/**
 * Configures better-auth: e-mail and password (argon2id), authenticator codes, passkeys and sessions. Its routes stand
 * under /app/api/auth. The account that a session shows is our own field of the session (switch-account.ts).
 */
import { passkey, type PasskeyOptions } from '@better-auth/passkey';
import { newId, type UserId } from '@kurir/contracts';
import { closeDoors, type Database } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { AttemptLimits, GrowingDelays } from '@kurir/queue';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { APIError, isAPIError } from 'better-auth/api';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { twoFactor } from 'better-auth/plugins';
import { cookieNames } from './cookie-names.js';
import { type LimitedMail, mayMail } from '../mail/mail-limit.js';
import { type Addressee, type Letter, letterMail } from '../mail/letter.js';
import type { Mailer } from '../mail/mailer.js';
import { knownAddressLetter, resetLetter, verifyLetter } from '../mail/mails.js';
import { securityLetter } from '../mail/security-mails.js';
import { hashPassword, verifyPassword } from './passwords/password-hash.js';
import { callerAddressOf, clientIpHeader, guessNetworkOf } from './guards/caller-network.js';
import { createNoteRefusal } from './guards/note-refusals.js';
import { createPasswordGuesses, type PasswordGuesses } from './guards/password-guesses.js';
import { sessionHooks } from './guards/session-hooks.js';
import { type Guards, signInHooks } from './guards/sign-in-hooks.js';
import { readerIn } from './sign-up/language.js';
import type { SignInSecrets } from './sign-in-secret.js';

export const authPath = '/app/api/auth';

const minute = 60;
const idleSeconds = 60 * minute;
const refreshSeconds = 5 * minute;

export type SignInOptions = {
  readonly database: Database;
  readonly mailer: Mailer;
  readonly limits: AttemptLimits;
  readonly delays: GrowingDelays;
  readonly logger: Logger;
  /** The first signs and encrypts. */
  readonly secrets: SignInSecrets;
  /** Encrypted what names no secret. */
  readonly unnamedSecret: string;
  readonly publicUrl: string;
  readonly signUp: boolean;
  /** Whether a person must confirm the address by a mail before the first sign-in. */
  readonly confirmAddress: boolean;
};

const idPrefixes: Record<string, 'usr' | 'ses'> = { user: 'usr', session: 'ses' };

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
function mailInBackground(
  { mailer, limits, logger }: SignInOptions,
  kind: LimitedMail,
  user: Addressee,
  letter: Letter,
): Promise<void> {
  mayMail(limits, kind, user.email)
    .then((may) =>
      may ? mailer.send(letterMail(user, letter)) : logger.warn({ kind }, 'mail withheld, the person had too many'),
    )
    .catch((err: unknown) => logger.error({ err }, 'mail not sent'));
  return Promise.resolve();
}

/** Makes the function that mails a person about a changed sign-in. */
function tellBy(options: SignInOptions): Guards['tell'] {
  return (user, event, network) => {
    const occasion = { at: new Date(), network };
    options.mailer
      .send(letterMail(user, securityLetter(event, occasion, `${options.publicUrl}/app/forgot`)))
      .catch((err: unknown) => options.logger.error({ err }, 'mail not sent'));
  };
}

/** The reset page sends `keepPasskeys=true` in the query if the person keeps their passkeys. */
function finishReset(options: SignInOptions, guesses: PasswordGuesses) {
  return async ({ user }: { readonly user: Addressee & { readonly id: string } }, request?: Request) => {
    const keepPasskeys = request !== undefined && new URL(request.url).searchParams.get('keepPasskeys') === 'true';
    // Only newId('usr') makes the ids of people.
    const removed = await closeDoors(options.database, user.id as UserId, {
      keepPasskeys,
      address: callerAddressOf(request?.headers),
    });
    await guesses.forget(user.email);
    const event = removed > 0 ? 'password.reset_without_passkeys' : 'password.reset';
    tellBy(options)(readerIn(user, request?.headers), event, guessNetworkOf(request?.headers));
  };
}

type EmailOptions = Pick<BetterAuthOptions, 'emailAndPassword' | 'emailVerification'>;

function emailOptions(options: SignInOptions, guesses: PasswordGuesses): EmailOptions {
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
      onPasswordReset: finishReset(options, guesses),
      sendResetPassword: ({ user, token }, request) => {
        const letter = resetLetter(`${publicUrl}/app/reset-password?token=${token}`);
        return mailInBackground(options, 'reset', readerIn(user, request?.headers), letter);
      },
      onExistingUserSignUp: ({ user }, request) =>
        mailInBackground(
          options,
          'known address',
          readerIn(user, request?.headers),
          knownAddressLetter(`${publicUrl}/app/sign-in`),
        ),
    },
    emailVerification: {
      sendOnSignUp: confirmAddress,
      sendOnSignIn: confirmAddress,
      // An attacker could send a link of their own account to somebody, who would then be signed in to it.
      autoSignInAfterVerification: false,
      sendVerificationEmail: ({ user, url }) =>
        // An invitation has proved the address already.
        user.emailVerified ? Promise.resolve() : mailInBackground(options, 'verification', user, verifyLetter(url)),
    },
  };
}

const personFields = {
  isAdmin: { type: 'boolean', required: false, defaultValue: false, input: false },
  // A page sends its own. sign-up/language.ts checks it, and names it if the page did not.
  language: { type: 'string', required: false },
  // sign-up/country.ts checks it.
  country: { type: 'string', required: false },
} as const;

const sessionOptions = {
  expiresIn: idleSeconds,
  updateAge: refreshSeconds,
  // guards/fresh-confirmation.ts asks instead: a young session is no confirmation.
  freshAge: 0,
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
      // A person who first has to confirm asks two or three times at once, and people of an office share an address.
      '/two-factor/disable': { window: minute, max: 10 },
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

/** A refusal is an answer, and so is 503 during a flood. The request has its own line. */
function logUnexpected(logger: Logger, err: unknown): void {
  if (isAPIError(err) && (err.statusCode < 500 || err.statusCode === 503)) return;
  logger.error({ err }, 'sign-in failed unexpectedly');
}

/** Routes of better-auth that no page uses. Some take a password without a limit of their own. */
const disabledPaths = [
  '/update-user',
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
  const { database, limits, logger, publicUrl, secrets, unnamedSecret } = options;
  const isSecure = new URL(publicUrl).protocol === 'https:';
  const guesses = createPasswordGuesses(options.delays);
  const party = relyingParty(publicUrl);
  return betterAuth({
    appName: 'Kurir',
    baseURL: publicUrl,
    basePath: authPath,
    secret: unnamedSecret,
    secrets: [...secrets],
    telemetry: { enabled: false },
    disabledPaths: [...disabledPaths],
    // A leaked backup must not open accounts with the tokens of mails.
    verification: { storeIdentifier: 'hashed' },
    database: prismaAdapter(database.prisma, { provider: 'postgresql', transaction: true }),
    ...emailOptions(options, guesses),
    user: { additionalFields: personFields },
    session: sessionOptions,
    account: { modelName: 'signInMethod' },
    rateLimit: rateLimit(limits),
    plugins: [twoFactor({ issuer: 'Kurir' }), passkey({ rpName: 'Kurir', ...party, ...passkeyOptions })],
    hooks: signInHooks({
      database,
      guesses,
      attempts: limits,
      origins: party.origin,
      tell: tellBy(options),
      noteRefusal: createNoteRefusal(database, limits, logger),
    }),
    databaseHooks: sessionHooks(database),
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
    onAPIError: { onError: (err) => logUnexpected(logger, err) },
  });
}

export type SignIn = ReturnType<typeof createSignIn>;
