/** Everything under /app: signing in, the dashboard's own interface, the mailbox of a development run, the pages. */
import {
  type DashboardOperation,
  type DashboardRoute,
  dashboardOperations,
  dashboardRoutes,
} from '@kurir/contracts/dashboard';
import type { Express } from 'express';
import type { Api } from '../api.js';
import { addRoute, type Methods } from '../route.js';
import { authPath } from '../sign-in/create-sign-in.js';
import { addMailboxRoute } from '../sign-in/mailbox-page.js';
import { sameOriginOnly } from '../sign-in/same-origin.js';
import { serveSignIn } from '../sign-in/serve-sign-in.js';
import { addPages } from './pages.js';
import { serveDashboard } from './serve-dashboard.js';

function operationsByPath(): Map<string, DashboardOperation[]> {
  const paths = new Map<string, DashboardOperation[]>();
  for (const operation of dashboardOperations) {
    const { path }: DashboardRoute = dashboardRoutes[operation];
    paths.set(path, [...(paths.get(path) ?? []), operation]);
  }
  return paths;
}

export function addDashboardRoutes(app: Express, api: Api): void {
  app.use('/app/api', sameOriginOnly(api.addresses));
  app.all(`${authPath}/*path`, (req, res, next) => {
    res.locals.trace.route = authPath;
    return serveSignIn(api.signIn, api.addresses.publicUrl)(req, res, next);
  });
  const paths = [...operationsByPath()];
  // A fixed path goes before one with a parameter in the same place.
  paths.sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')));
  for (const [path, atPath] of paths) {
    const methods: Methods = Object.fromEntries(
      atPath.map((operation) => [dashboardRoutes[operation].method, serveDashboard(operation, api)]),
    );
    addRoute(app, path, methods);
  }
  addMailboxRoute(app, api);
  addPages(app, api.builtPages);
}
