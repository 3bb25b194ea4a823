/**
 * One request of the dashboard from its cookie to its answer: origin, session, limit, role, second factor, body, act. What
 * is refused here has changed nothing.
 */
import { ApiError, limits } from '@kurir/contracts';
import { type DashboardOperation, type DashboardRoute, dashboardRoutes } from '@kurir/contracts/dashboard';
import { answerSuccess } from '../answer.js';
import type { Api } from '../api.js';
import { addressOf, type Exchange, parseRequest, type Serve, type StreamedAnswer } from '../exchange.js';
import { limitRate } from '../limit-rate.js';
import { readBody } from '../read-body.js';
import { checkSameOrigin } from '../sign-in/same-origin.js';
import { authHeaders } from '../sign-in/serve-sign-in.js';
import { watchCaller } from '../watch-caller.js';
import { confirmedUntil } from './confirmed-until.js';
import type { DashboardRequest } from './dashboard-request.js';
import { dashboardHandlers } from './handlers/handlers.js';
import { hasRole, readVisitor, type Visitor } from './visitor.js';

const roleNeeded: Readonly<Record<string, string>> = {
  admin: 'Only an operator of this gateway may do this.',
  owner: 'Only an owner of the account may do this. Ask one of them.',
  developer: 'Your role only lets you look. Ask an owner of the account for the role developer.',
};

function checkRole({ access }: DashboardRoute, visitor: Visitor): void {
  if (access === 'anyone' || access === 'signed-in') return;
  const isAllowed = access === 'admin' ? visitor.user.isAdmin : hasRole(visitor, access);
  if (!isAllowed) throw new ApiError('ROLE_NOT_ALLOWED', roleNeeded[access] ?? 'Your role does not permit this.');
}

function checkConfirmed({ confirmed }: DashboardRoute, visitor: Visitor, nowMs: number): void {
  if (confirmed !== true || !visitor.user.twoFactor || confirmedUntil(visitor, nowMs) !== null) return;
  throw new ApiError(
    'CONFIRMATION_REQUIRED',
    'Confirm with a code of your authenticator first (POST /app/api/me/confirm), then try again.',
  );
}

async function readVisitorFor(
  route: DashboardRoute,
  api: Api,
  headers: Headers,
  { answer, trace }: Exchange,
): Promise<Visitor | null> {
  if (route.access === 'anyone') return null;
  const visitor = await readVisitor(api, headers, answer);
  trace.accountId = visitor.membership.accountId;
  await limitRate(api.rateLimit, visitor.user.id, answer);
  checkRole(route, visitor);
  checkConfirmed(route, visitor, api.now());
  return visitor;
}

const lastEventIdOf = (headers: Headers): string | null => headers.get('Last-Event-ID');

// O ties the handler to what was parsed for it, inside.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function serveDashboard<O extends DashboardOperation>(operation: O, api: Api): Serve {
  const route: DashboardRoute = dashboardRoutes[operation];
  // What the table says of O's answer decides which of the two shapes the handler has; both take these arguments.
  const handler = dashboardHandlers[operation] as (
    request: DashboardRequest<O>,
    given: Api,
    streamed: StreamedAnswer,
  ) => Promise<object | undefined>;

  return async (exchange) => {
    const { req, res, answer, trace, params } = exchange;
    checkSameOrigin(req, route.path, api.addresses.publicUrl());
    const headers = authHeaders(req, addressOf(req, api.trustedProxies));
    const visitor = await readVisitorFor(route, api, headers, exchange);
    const request = {
      id: trace.id,
      visitor,
      ...parseRequest(route, req, await readBody(req, limits.bodyMaxBytes)),
      params,
      headers,
      lastEventId: lastEventIdOf(headers),
      callerGone: () => watchCaller(res),
      // Parsed with this operation's schemas; the router matched its path; the table says who may ask.
    } as DashboardRequest<O>;
    const data = await handler(request, api, { answer, res });
    if (route.answers === undefined) answerSuccess(answer, route.message, data ?? {});
  };
}
