/**
 * The hooks on better-auth's routes. Before a route: no session beyond its age, a fresh confirmation, limits of guesses,
 * no weak password, no code twice. After it: the audit log, the known browser and the mail.
 */
import type { GenericEndpointContext } from '@better-auth/core';
import { isDisplayName, limits, type SignInAction, type UserId } from '@kurir/contracts';
import { type Database, endOtherConfirmations } from '@kurir/database';
import type { AttemptLimits } from '@kurir/queue';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import type { Addressee } from '../../mail/letter.js';
import type { SecurityEvent } from '../../mail/security-mails.js';
import { z } from 'zod';
import { textOf } from '../sign-up/body-text.js';
import { callerAddressOf, guessNetworkOf } from './caller-network.js';
import { countCodeGuess } from './code-guesses.js';
import { requireConfirmation } from './fresh-confirmation.js';
import { joinInvited, requireOpenInvitation } from '../sign-up/invited-sign-up.js';
import { checkCountry } from '../sign-up/country.js';
import { chooseLanguage, readerIn } from '../sign-up/language.js';
import { keepBrowser, knownBrowser } from './known-browser.js';
import { requireStrongPassword } from './new-password.js';
import { requireOwnOrigin } from './passkey-origin.js';
import type { NoteRefusal } from './note-refusals.js';
import type { GuessOrigin, PasswordGuesses } from './password-guesses.js';
import { isTooOld } from './session-age.js';
import { actionOf, note } from './sign-in-audit.js';
import { takeCode } from './used-codes.js';

export type Guards = {
  readonly database: Database;
  readonly guesses: PasswordGuesses;
  readonly attempts: AttemptLimits;
  /** The origins at which the dashboard uses passkeys. */
  readonly origins: readonly string[];
  /** Mails the person that something changed. Does not wait and never throws. */
  readonly tell: (user: Addressee, event: SecurityEvent, network: string) => void;
  /** Notes a wrong password in the audit log. Does not wait and never throws. */
  readonly noteRefusal: NoteRefusal;
};

const codePaths: ReadonlySet<string | undefined> = new Set([
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
]);

/** In a session these take the password of the person. A stolen session must not be a way to guess it. */
const passwordPaths: ReadonlySet<string | undefined> = new Set([
  '/change-password',
  '/verify-password',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/get-totp-uri',
  '/two-factor/generate-backup-codes',
]);

/** Returns whose password the request carries, or null. */
function passwordOwner(ctx: GenericEndpointContext): string | null {
  if (ctx.path === '/sign-in/email') return textOf(ctx.body, 'email');
  return passwordPaths.has(ctx.path) ? (ctx.context.session?.user.email ?? null) : null;
}

async function originOf(database: Database, ctx: GenericEndpointContext, email: string): Promise<GuessOrigin> {
  return { network: guessNetworkOf(ctx.headers), browser: await knownBrowser(database, ctx, email) };
}

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

/** Reads the session of the cookie for the steps that follow. Ends it if it is too old, whatever the route. */
async function readSession(ctx: GenericEndpointContext): Promise<void> {
  const running = await getSessionFromCtx(ctx);
  if (running === null || !isTooOld(new Date(running.session.createdAt), Date.now())) return;
  await ctx.context.internalAdapter.deleteSession(running.session.token);
  ctx.context.session = null;
}

/** Nobody may skip the second factor later: a reset could not end that, and no page offers it. */
function refuseTrust(body: unknown): void {
  if (typeof body !== 'object' || body === null || !Reflect.get(body, 'trustDevice')) return;
  throw new APIError('BAD_REQUEST', { code: 'INVALID_REQUEST', message: 'trustDevice: is not offered. Leave it out.' });
}

async function checkCode({ database, attempts }: Guards, ctx: GenericEndpointContext): Promise<void> {
  refuseTrust(ctx.body);
  const inSession = ctx.context.session?.user.id;
  if (inSession !== undefined) refuseGuess(await countCodeGuess(attempts, inSession), 'codes');
  if (ctx.path === '/two-factor/verify-totp') await takeCode(database, ctx, textOf(ctx.body, 'code'));
}

/** The password was right even if better-auth refuses the sign-in because the address is not confirmed yet. */
const wasRight = (returned: unknown): boolean =>
  !(returned instanceof APIError) || returned.body?.code === 'EMAIL_NOT_VERIFIED';

/** Any other error says nothing about the password, such as that of a full queue of hashes. */
const wasWrong = (returned: unknown): boolean => returned instanceof APIError && returned.statusCode === 401;

/** A sign-in is mailed only if it comes from a new browser, and two-factor sign-in only when it is on. */
const mailed: ReadonlySet<SignInAction> = new Set([
  'password.changed',
  'two_factor.enabled',
  'two_factor.disabled',
  'two_factor.backup_codes_made',
  'passkey.added',
  'passkey.removed',
]);

function isMailed(action: SignInAction): action is SignInAction & SecurityEvent {
  return mailed.has(action);
}

/** The answer to a sign-up. For a registered address it names a person who does not exist. */
const signUpAnswer = z.object({ user: z.object({ id: z.string(), email: z.string() }) });
const signedUpUser = (returned: unknown) => signUpAnswer.safeParse(returned).data?.user ?? null;

export function signInHooks(guards: Guards) {
  const { database, guesses, tell, noteRefusal } = guards;

  async function afterSuccess(ctx: GenericEndpointContext): Promise<void> {
    const { newSession, session } = ctx.context;
    const user = (newSession ?? session)?.user;
    // A call without a request comes from accounts/confirm-session.ts: no session begins there.
    if (user === undefined || ctx.request === undefined) return;
    const action = actionOf(ctx.path ?? '', { newSession, session });
    // Only newId('usr') makes the ids of people.
    if (action !== undefined)
      await note(database, user.id as UserId, { action, address: callerAddressOf(ctx.headers) });
    if (action === 'two_factor.enabled' && newSession !== null)
      await endOtherConfirmations(database, user.id, newSession.session.id);
    if (action !== undefined && isMailed(action))
      tell(readerIn(user, ctx.headers), action, guessNetworkOf(ctx.headers));
    const signsUp = ctx.path === '/sign-up/email' && newSession !== null;
    if (action !== 'session.began' && !signsUp) return;
    const isKnown = await keepBrowser(database, ctx, user);
    if (!isKnown && !signsUp) tell(readerIn(user, ctx.headers), 'session.began', guessNetworkOf(ctx.headers));
  }

  return {
    before: createAuthMiddleware(async (ctx) => {
      // Each request of the dashboard reads its session this way, and visitor.ts checks the age.
      if (ctx.path === '/get-session' && ctx.request === undefined) return;
      await readSession(ctx);
      requireConfirmation(ctx);
      requireOwnOrigin(ctx.path, ctx.body, guards.origins);
      await requireStrongPassword(ctx);
      const owner = passwordOwner(ctx);
      if (owner !== null)
        refuseGuess(await guesses.count(owner, await originOf(database, ctx, owner)), 'wrong passwords');
      if (codePaths.has(ctx.path)) await checkCode(guards, ctx);
      if (ctx.path === '/sign-up/email') {
        checkName(ctx.body);
        chooseLanguage(ctx);
        checkCountry(ctx);
        await requireOpenInvitation(database, ctx);
      }
    }),
    after: createAuthMiddleware(async (ctx) => {
      const { returned } = ctx.context;
      const owner = passwordOwner(ctx);
      if (owner !== null && wasRight(returned)) await guesses.forget(owner, await originOf(database, ctx, owner));
      if (ctx.path === '/sign-in/email' && owner !== null && wasWrong(returned))
        noteRefusal(owner, callerAddressOf(ctx.headers));
      if (returned instanceof APIError) return;
      const signedUp = signedUpUser(returned);
      const address = callerAddressOf(ctx.headers);
      const hasJoined = signedUp !== null && (await joinInvited(database, ctx, { ...signedUp, address }));
      // The sign-in that follows comes from a known browser.
      if (hasJoined && ctx.context.newSession === null) await keepBrowser(database, ctx, signedUp);
      await afterSuccess(ctx);
    }),
  };
}
