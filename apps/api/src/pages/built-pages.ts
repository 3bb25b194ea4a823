/**
 * Serves the dashboard's build under /app. The page is never cached and carries a new nonce each time, without which no
 * inline script or style runs. Its assets have a hash in their names and are cached for ever.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type Express, type RequestHandler } from 'express';
import { answerHtml, hashSource } from './answer-html.js';
import { htmlPage, markup } from './html-page.js';
import { addRoute } from '../http/route.js';

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

const style = 'body { max-width: 36rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }';

const notBuilt = htmlPage({
  lang: 'en',
  title: 'Kurir',
  style,
  body: markup`<h1>The dashboard has not been built</h1>
<p>Build it with <code>npm run build</code> and load this page again. The api works without it: see <a href="/docs">/docs</a>.</p>`,
});

const notBuiltPolicy = [
  "default-src 'none'",
  `style-src ${hashSource(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** The reader returns null until the page is built. It reads the page once, because a new build needs a new process. */
function createPageReader(folder: string): () => string | null {
  let page: string | null = null;
  return () => {
    try {
      return (page ??= readFileSync(join(folder, 'index.html'), 'utf8'));
    } catch {
      // The page is not built yet. The next request tries again.
      return null;
    }
  };
}

function servePage(folder: string): RequestHandler {
  const read = createPageReader(folder);
  return (_req, res) => {
    const page = read();
    if (page === null) return answerHtml(res, { status: 503, html: notBuilt, policy: notBuiltPolicy });
    const nonce = randomBytes(16).toString('base64');
    res.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    answerHtml(res, { html: page.replaceAll(placeholder, nonce), policy: policyWith(nonce) });
  };
}

/** The address of a page has no dot. An address with a dot names a missing file. */
const isFile = /\.[^/]*$/;

export function addPages(app: Express, folder: string): void {
  const page = servePage(folder);
  const files = { index: false, redirect: false, etag: true, dotfiles: 'ignore' } as const;
  app.use('/app/assets', express.static(join(folder, 'assets'), { ...files, immutable: true, maxAge: '1y' }));
  app.use('/app', express.static(folder, { ...files, maxAge: '1h' }));
  addRoute(app, '/app', { GET: page });
  addRoute(app, '/app/', { GET: page });
  app.get('/app/*path', (req, res, next) => {
    if (req.path.startsWith('/app/api/') || isFile.test(req.path)) return next();
    res.locals.trace.route = '/app/*';
    return page(req, res, next);
  });
}
