/**
 * Who is signed in: the cookie becomes a person, their memberships and the account that the session shows. All of it
 * is read anew for every request, so that a role that was taken away is gone at once.
 */
import { ApiError, limits, type UserId } from '@kurir/contracts';
import type { MemberRole } from '@kurir/contracts/dashboard';
import { ensureMemberships, type Membership } from '@kurir/database';
import type { HttpAnswer } from '../http/answer.js';
import type { Ground } from '../http/ground.js';
import type { SignInResources } from './sign-in-resources.js';
import { sessionMaxSeconds } from './create-sign-in.js';

export type Visitor = {
  readonly user: {
    readonly id: UserId;
    readonly email: string;
    readonly name: string;
    readonly isAdmin: boolean;
    readonly twoFactor: boolean;
  };
  readonly session: { readonly id: string; readonly confirmedAt: Date | null };
  /** Of the account that the pages show. */
  readonly membership: Membership;
  readonly memberships: readonly Membership[];
};

/** Where sessions and memberships are read. */
export type VisitorSource = Ground & SignInResources;

const signInFirst = () => new ApiError('SESSION_REQUIRED', 'Nobody is signed in here. Sign in, then try again.');

/** The session behind the cookie; a renewed cookie goes out with the answer. */
async function readSession(api: VisitorSource, cookies: Headers, answer: HttpAnswer) {
  const { headers, response } = await api.signIn().api.getSession({ headers: cookies, returnHeaders: true });
  for (const renewed of headers.getSetCookie()) answer.setHeader('Set-Cookie', renewed);
  const tooOld = response !== null && response.session.createdAt.getTime() < api.now() - sessionMaxSeconds * 1000;
  if (response === null || tooOld) throw signInFirst();
  return response;
}

/** `cookies`: the request's headers. */
export async function readVisitor(api: VisitorSource, cookies: Headers, answer: HttpAnswer): Promise<Visitor> {
  const { user, session } = await readSession(api, cookies, answer);
  // Ids of people are made only by newId('usr').
  const id = user.id as UserId;
  const memberships = await ensureMemberships(api.database, { id, name: user.name }, api.trialMessages);
  const membership = memberships.find(({ accountId }) => accountId === session.accountId) ?? memberships[0];
  if (membership === undefined) throw new Error('a person without an account');
  return {
    user: {
      id,
      email: user.email,
      name: user.name,
      isAdmin: user.isAdmin === true,
      twoFactor: user.twoFactorEnabled === true,
    },
    session: { id: session.id, confirmedAt: session.confirmedAt ?? null },
    membership,
    memberships,
  };
}

const ranks: Readonly<Record<MemberRole, number>> = { viewer: 0, developer: 1, owner: 2 };

export const hasRole = (visitor: Visitor, role: MemberRole): boolean => ranks[visitor.membership.role] >= ranks[role];

/** Until when the last second factor counts, or null. */
export function confirmedUntil({ session }: Visitor, nowMs: number): Date | null {
  if (session.confirmedAt === null) return null;
  const until = session.confirmedAt.getTime() + limits.confirmationMinutes * 60_000;
  return until > nowMs ? new Date(until) : null;
}
