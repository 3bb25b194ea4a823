/** Serves the built site of the documentation under /docs. Its pages have nothing inline. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Express, RequestHandler } from 'express';
import type { ServerResponse } from 'node:http';
import { addRoute } from '../http/route.js';
import { answerHtml } from './answer-html.js';
import { createPageReader, forEver, forNow, serveFiles } from './built-files.js';
import { leadToFirstPage, leadToIndonesian, leadToLanguage, varyByLanguage } from './docs-language.js';
import { isBrowser } from './is-browser.js';
import { answerNotBuilt } from './not-built.js';

/** The site stands next to this app, in the sources and in an image. */
export const builtDocs = fileURLToPath(new URL('../../../docs/dist', import.meta.url));

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** Addresses of folders. The links of their pages need the slash. */
const folders = ['/', '/id/'];

const setHeaders: RequestHandler = (_req, res, next) => {
  res.setHeader('Content-Security-Policy', policy.join('; '));
  res.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  res.setHeader('Referrer-Policy', 'same-origin');
  next();
};

/** The address of a page has no ending, and its file has one. */
function fileOf(path: string): string | null {
  if (folders.includes(path)) return `${path}index.html`;
  return path.endsWith('/') || /\.[^/]*$/.test(path) ? null : `${path}.html`;
}

const nameFile: RequestHandler = (req, res, next) => {
  const [path = '', query] = req.url.split('?');
  const file = fileOf(path);
  if (file !== null) {
    req.url = query === undefined ? file : `${file}?${query}`;
    res.locals.trace.route = '/docs/*';
  }
  next();
};

export function addDocs(app: Express, folder: string): void {
  const readMissing = createPageReader(folder, '404.html');
  const isBuilt = () => readMissing() !== null;
  const firstPage = join(folder, 'index.html');
  // The file may be a compressed copy.
  const nameHeaders = (res: ServerResponse, file: string) => void (file.startsWith(firstPage) && varyByLanguage(res));
  addRoute(app, '/docs', { GET: leadToFirstPage });
  addRoute(app, '/docs/id', { GET: leadToIndonesian });
  app.get('/docs/', leadToLanguage);
  app.use('/docs/assets', setHeaders, ...serveFiles({ folder: join(folder, 'assets'), isBuilt, serveStatic: forEver }));
  const serveStatic = { ...forNow, setHeaders: nameHeaders };
  app.use('/docs', setHeaders, nameFile, ...serveFiles({ folder, isBuilt, serveStatic }));
  app.get('/docs/*path', (req, res, next) => {
    if (!isBrowser(req)) return next();
    const missing = readMissing();
    if (missing === null) return answerNotBuilt(res, 'The documentation');
    res.locals.trace.route = '/docs/*';
    answerHtml(res, { status: 404, html: missing, policy });
  });
}
