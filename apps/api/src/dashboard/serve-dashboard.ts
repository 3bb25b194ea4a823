/**
 * One request of the dashboard from its cookie to its answer: session, limit, role, second factor, body, act. Whether
 * it came from our own pages was looked at before (sign-in/same-origin.ts). What is refused here has changed nothing.
 */
import { ApiError, limits, parseInput } from '@kurir/contracts';
import { type DashboardOperation, type DashboardRoute, dashboardRoutes } from '@kurir/contracts/dashboard';
import type { Request, RequestHandler, Response } from 'express';
import { answerSuccess } from '../answer.js';
import type { Api } from '../api.js';
import { limitRate } from '../limit-rate.js';
import { parseJson, requireJson } from '../parse-json.js';
import { readBody } from '../read-body.js';
import { queryOf } from '../request-target.js';
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

async function readVisitorFor(route: DashboardRoute, api: Api, req: Request, res: Response): Promise<Visitor | null> {
  if (route.access === 'anyone') return null;
  const visitor = await readVisitor(api, req, res);
  res.locals.trace.accountId = visitor.membership.accountId;
  await limitRate(api.rateLimit, visitor.user.id, res);
  checkRole(route, visitor);
  checkConfirmed(route, visitor, api.now());
  return visitor;
}

async function readInput({ body, query }: DashboardRoute, req: Request) {
  const raw = await readBody(req, limits.bodyMaxBytes);
  if (body !== null) requireJson(req.headers['content-type']);
  return {
    body: body === null ? null : parseInput(body, parseJson(raw)),
    query: query === null ? null : parseInput(query, queryOf(req.originalUrl), 'the query'),
  };
}

const lastEventIdOf = (req: Request): string | null => req.get('Last-Event-ID') ?? null;

// O ties the handler to what was parsed for it, inside.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function serveDashboard<O extends DashboardOperation>(operation: O, api: Api): RequestHandler {
  const route: DashboardRoute = dashboardRoutes[operation];
  // What the table says of O's answer decides which of the two shapes the handler has; both take these arguments.
  const handler = dashboardHandlers[operation] as (
    request: DashboardRequest<O>,
    given: Api,
    res: Response,
  ) => Promise<object | undefined>;

  return async (req, res) => {
    const visitor = await readVisitorFor(route, api, req, res);
    const input = await readInput(route, req);
    const request = {
      id: res.locals.trace.id,
      visitor,
      ...input,
      params: req.params,
      headers: authHeaders(req),
      lastEventId: lastEventIdOf(req),
      callerGone: () => watchCaller(res),
      // Parsed with this operation's schemas; the router matched its path; the table says who may ask.
    } as DashboardRequest<O>;
    const data = await handler(request, api, res);
    if (route.answers === undefined) answerSuccess(res, route.message, data ?? {});
  };
}
