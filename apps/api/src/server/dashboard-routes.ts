/** Adds the routes under /app except the operations: the sign-in, the mailbox page and the pages. */
import type { Express } from 'express';
import type { Api } from '../operations/api.js';
import { authPath } from '../sign-in/create-sign-in.js';
import { addMailboxRoutes } from '../mail/mailbox-routes.js';
import { sameOriginOnly } from '../sign-in/same-origin.js';
import { serveSignIn } from '../sign-in/serve-sign-in.js';
import { addPages } from '../pages/built-pages.js';

export function addDashboardRoutes(app: Express, api: Api): void {
  app.use('/app/api', sameOriginOnly(api.addresses));
  app.all(`${authPath}/*path`, (req, res, next) => {
    res.locals.trace.route = authPath;
    return serveSignIn(api)(req, res, next);
  });
  addMailboxRoutes(app, api);
  addPages(app, api.builtPages);
}
