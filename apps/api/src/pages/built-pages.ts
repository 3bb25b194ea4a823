/**
 * Serves the dashboard's build under /app. The page is never cached and carries a new nonce each time, without which no
 * inline script or style runs. Its assets have a hash in their names and are cached for ever. The build compressed them.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Express, RequestHandler } from 'express';
import { answerHtml } from './answer-html.js';
import { createPageReader, forAWhile, forEver, serveFiles } from './built-files.js';
import { addRoute } from '../http/route.js';
import { answerNotBuilt } from './not-built.js';

/** The dashboard stands next to this app, in the sources and in an image. */
export const builtPages = fileURLToPath(new URL('../../../dashboard/dist', import.meta.url));

/** The built page has this text in place of a nonce. */
const placeholder = '__CSP_NONCE__';

const policyWith = (nonce: string) => [
  "default-src 'none'",
  `script-src 'self' 'nonce-${nonce}'`,
  `style-src 'self' 'nonce-${nonce}'`,
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

function servePage(read: () => string | null): RequestHandler {
  return (_req, res) => {
    const page = read();
    if (page === null) return answerNotBuilt(res, 'The dashboard');
    const nonce = randomBytes(16).toString('base64');
    res.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    answerHtml(res, { html: page.replaceAll(placeholder, nonce), policy: policyWith(nonce) });
  };
}

/** The address of a page has no dot. An address with a dot names a missing file. */
const isFile = /\.[^/]*$/;

export function addPages(app: Express, folder: string): void {
  const read = createPageReader(folder);
  const isBuilt = () => read() !== null;
  const page = servePage(read);
  app.use('/app/assets', ...serveFiles({ folder: join(folder, 'assets'), isBuilt, serveStatic: forEver }));
  app.use('/app', ...serveFiles({ folder, isBuilt, serveStatic: forAWhile }));
  addRoute(app, '/app', { GET: page });
  addRoute(app, '/app/', { GET: page });
  app.get('/app/*path', (req, res, next) => {
    if (req.path.startsWith('/app/api/') || isFile.test(req.path)) return next();
    res.locals.trace.route = '/app/*';
    return page(req, res, next);
  });
}
