/** One request of an operation that only people use: admit, parse, act. */
import { limits } from '@kurir/contracts';
import { type DashboardRoute, type OwnDashboardOperation, ownDashboardRoutes } from '@kurir/contracts/dashboard';
import { answerSuccess } from '../answer.js';
import type { Api } from '../api.js';
import { parseRequest, type Serve, type StreamedAnswer } from '../exchange.js';
import { readBody } from '../read-body.js';
import { watchCaller } from '../watch-caller.js';
import { admitPerson } from './admit-person.js';
import type { DashboardRequest } from './dashboard-request.js';
import { dashboardHandlers } from './handlers/handlers.js';

// O ties the handler to what was parsed for it, inside.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function serveDashboard<O extends OwnDashboardOperation>(operation: O, api: Api): Serve {
  const route: DashboardRoute = ownDashboardRoutes[operation];
  // What the table says of O's answer decides which of the two shapes the handler has; both take these arguments.
  const handler = dashboardHandlers[operation] as (
    request: DashboardRequest<O>,
    given: Api,
    streamed: StreamedAnswer,
  ) => Promise<object | undefined>;

  return async (exchange) => {
    const { req, res, answer, trace, params } = exchange;
    const { visitor, headers } = await admitPerson(api, route, exchange);
    const request = {
      id: trace.id,
      visitor,
      ...parseRequest(route, req, await readBody(req, limits.bodyMaxBytes)),
      params,
      headers,
      lastEventId: headers.get('Last-Event-ID'),
      callerGone: () => watchCaller(res),
      // Parsed with this operation's schemas; the router matched its path; the table says who may ask.
    } as DashboardRequest<O>;
    const data = await handler(request, api, { answer, res });
    if (route.answers === undefined) answerSuccess(answer, route.message, data ?? {});
  };
}
