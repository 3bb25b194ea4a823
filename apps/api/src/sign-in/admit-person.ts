/**
 * Identifies a person by the cookie of a session. It checks, in this order: origin, session, rate limit, role, whether
 * the account is suspended, and second factor. A refusal changes nothing.
 */
import { ApiError } from '@kurir/contracts';
import type { Access, OperationForPeople } from '@kurir/contracts/dashboard';
import { addressOf } from '../http/callers/caller-address.js';
import type { Exchange } from '../http/exchange.js';
import { limitPersonRate } from '../http/limit-rate.js';
import { checkSameOrigin } from './same-origin.js';
import { authHeaders } from './serve-sign-in.js';
import { confirmedUntil, hasRole, readVisitor, type Visitor, type VisitorSource } from './visitor.js';

const roleNeeded: Readonly<Record<string, string>> = {
  admin: 'Only an operator of this gateway may do this.',
  owner: 'Only an owner of the account may do this. Ask one of them.',
  developer: 'Your role only lets you read. Ask an owner of the account for the role developer.',
};

type Needed = {
  readonly method: string;
  readonly path: string;
  readonly access: Access;
  readonly agents?: true | undefined;
} & Pick<OperationForPeople, 'confirmed' | 'whileSuspended'>;

function checkRole({ access, agents }: Needed, visitor: Visitor): void {
  if (access === 'anyone' || access === 'signed-in') return;
  const isAgent = visitor.membership.role === 'agent';
  if (isAgent && agents === true) return;
  const isAllowed = access === 'admin' ? visitor.user.isAdmin : hasRole(visitor, access);
  if (!isAllowed)
    throw new ApiError(
      'ROLE_NOT_ALLOWED',
      (isAgent ? undefined : roleNeeded[access]) ??
        'Your role does not permit this. Ask an owner of the account for another role.',
    );
}

/** The members of a suspended account can read and export. A person may still change their own profile and session. */
function checkSuspended({ access, method, whileSuspended }: Needed, { membership }: Visitor): void {
  const isOfAccount = access !== 'anyone' && access !== 'signed-in' && access !== 'admin';
  const isFree = method === 'GET' || whileSuspended === true;
  if (!isOfAccount || isFree || membership.suspendedReason === null) return;
  const sentence = `The operator of this gateway has suspended this account (${membership.suspendedReason}). Until that ends, you can read and export, but change nothing.`;
  throw new ApiError('ACCOUNT_SUSPENDED', sentence);
}

function checkConfirmed({ confirmed }: Needed, visitor: Visitor, nowMs: number): void {
  const isAsked = confirmed === 'always' || (confirmed === true && visitor.user.twoFactor);
  if (!isAsked || confirmedUntil(visitor, nowMs) !== null) return;
  throw new ApiError(
    'CONFIRMATION_REQUIRED',
    'Confirm the session with a code, a passkey or the password (POST /app/api/me/confirm), then try again.',
  );
}

export type Admitted = {
  /** Null if the operation needs no session. */
  readonly visitor: Visitor | null;
  /** The headers of the request as better-auth reads them. */
  readonly headers: Headers;
};

/** Rejects with 401, 403 or 429. The answer carries a renewed cookie. */
export async function admitPerson(
  api: VisitorSource,
  needed: Needed,
  { req, answer, trace }: Exchange,
): Promise<Admitted> {
  checkSameOrigin(req, needed.path, api.addresses.publicUrl());
  const headers = authHeaders(req, addressOf(req, api.trustedProxies), api.signInSecrets);
  if (needed.access === 'anyone') return { visitor: null, headers };
  const visitor = await readVisitor(api, headers, answer);
  trace.accountId = visitor.membership.accountId;
  await limitPersonRate(api, visitor.user.id, answer);
  checkRole(needed, visitor);
  checkSuspended(needed, visitor);
  checkConfirmed(needed, visitor, api.now());
  return { visitor, headers };
}
