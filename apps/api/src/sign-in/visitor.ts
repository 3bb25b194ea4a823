/**
 * Reads the signed-in person of a cookie, with their memberships and the account that the session shows. It reads them
 * for every request, so that a lost role ends at once.
 */
import { ApiError, isLanguage, type Language, limits, type UserId } from '@kurir/contracts';
import { type MemberRole, memberRoles } from '@kurir/contracts/dashboard';
import { ensureMemberships, type Membership } from '@kurir/database';
import { type Addressee, letterMail } from '../mail/letter.js';
import { noMailer } from '../mail/mailer.js';
import { welcomeLetter } from '../mail/mails.js';
import type { HttpAnswer } from '../http/answer.js';
import type { Ground } from '../http/ground.js';
import type { SignInResources } from './sign-in-resources.js';
import { callerAddressOf } from './guards/caller-network.js';
import { readerIn } from './sign-up/language.js';
import { confirmedUntil as until, isTooOld } from './guards/session-age.js';

export type Visitor = {
  readonly user: {
    readonly id: UserId;
    readonly email: string;
    readonly name: string;
    readonly isAdmin: boolean;
    readonly twoFactor: boolean;
    /** Null: not known yet. */
    readonly language: Language | null;
  };
  readonly session: { readonly id: string; readonly confirmedAt: Date | null };
  /** The membership in the account that the pages show. */
  readonly membership: Membership;
  readonly memberships: readonly Membership[];
};

export type VisitorSource = Ground & SignInResources;

const signInFirst = () => new ApiError('SESSION_REQUIRED', 'Nobody is signed in here. Sign in, then try again.');

/** Returns the session of the cookie, or throws 401. The answer carries a renewed cookie. */
async function readSession(api: VisitorSource, cookies: Headers, answer: HttpAnswer) {
  const { headers, response } = await api.signIn().api.getSession({ headers: cookies, returnHeaders: true });
  // A refusal deletes no cookie: another request may have just replaced the session, and the new cookie would go.
  if (response === null || isTooOld(response.session.createdAt, api.now())) throw signInFirst();
  for (const renewed of headers.getSetCookie()) answer.setHeader('Set-Cookie', renewed);
  return response;
}

/** Mails the first steps to a person whose account was just opened. It does not wait: the page is for the same person. */
function welcome({ mailer, addresses, trialMessages, logger }: VisitorSource, user: Addressee): void {
  if (mailer === noMailer) return;
  const trial = trialMessages === 0 ? null : { messages: trialMessages, days: limits.trialDays };
  mailer
    .send(letterMail(user, welcomeLetter(`${addresses.publicUrl()}/app`, trial)))
    .catch((err: unknown) => logger.error({ err }, 'mail not sent'));
}

/** `cookies` are the headers of the request. */
export async function readVisitor(api: VisitorSource, cookies: Headers, answer: HttpAnswer): Promise<Visitor> {
  const { user, session } = await readSession(api, cookies, answer);
  // Only newId('usr') makes the ids of people.
  const id = user.id as UserId;
  const person = { id, name: user.name };
  const address = callerAddressOf(cookies);
  const { memberships, opened } = await ensureMemberships(api.database, person, api.trialMessages, address);
  if (opened) welcome(api, readerIn(user, cookies));
  const membership = memberships.find(({ accountId }) => accountId === session.accountId) ?? memberships[0];
  if (membership === undefined) throw new Error('a person without an account');
  return {
    user: {
      id,
      email: user.email,
      name: user.name,
      isAdmin: user.isAdmin === true,
      twoFactor: user.twoFactorEnabled === true,
      language: isLanguage(user.language) ? user.language : null,
    },
    session: { id: session.id, confirmedAt: session.confirmedAt ?? null },
    membership,
    memberships,
  };
}

export const hasRole = (visitor: Visitor, role: MemberRole): boolean =>
  memberRoles.indexOf(visitor.membership.role) >= memberRoles.indexOf(role);

/** Returns the time until which the last confirmation of the session counts, or null. */
export const confirmedUntil = ({ session }: Visitor, nowMs: number): Date | null => until(session.confirmedAt, nowMs);
