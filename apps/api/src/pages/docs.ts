/** The documentation of the api: Swagger UI from its package, and the document from the contracts. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { openApiDocument } from '@kurir/contracts/openapi';
import type { Express, RequestHandler } from 'express';
import type { Ground } from '../http/ground.js';
import { addRoute } from '../http/route.js';
import { answerHtml, hashSource } from './answer-html.js';
import { htmlPage, markup } from './html-page.js';

const style = 'body { margin: 0; background: #fafafa; }';

const page = htmlPage({
  lang: 'en',
  title: 'Kurir API',
  style,
  body: markup`<link rel="stylesheet" href="/docs/swagger-ui.css">
<div id="swagger-ui"></div>
<noscript>The documentation needs JavaScript. The same is in <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>`,
});

/** The page has no button to send a request, because only a program can sign one. */
const start = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  supportedSubmitMethods: [],
  validatorUrl: null,
});
`;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  // The pictures of Swagger UI have style attributes.
  `style-src 'self' ${hashSource(style)}`,
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

function serveText(type: string, read: () => Buffer | string): RequestHandler {
  let content: Buffer | string | null = null;
  return (_req, res) => {
    content ??= read();
    res.writeHead(200, {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Length': Buffer.byteLength(content),
      'Cache-Control': 'public, max-age=3600',
    });
    res.end(content);
  };
}

export function addDocsRoutes(app: Express, { addresses }: Ground): void {
  const { resolve } = createRequire(import.meta.url);
  const fromPackage = (file: string) => () => readFileSync(resolve(`swagger-ui-dist/${file}`));

  addRoute(app, '/docs', { GET: (_req, res) => answerHtml(res, { html: page, policy }) });
  addRoute(app, '/docs/swagger-ui.css', { GET: serveText('text/css', fromPackage('swagger-ui.css')) });
  addRoute(app, '/docs/swagger-ui-bundle.js', {
    GET: serveText('text/javascript', fromPackage('swagger-ui-bundle.js')),
  });
  addRoute(app, '/docs/start.js', { GET: serveText('text/javascript', () => start) });
  addRoute(app, '/openapi.json', {
    GET: serveText('application/json', () => JSON.stringify(openApiDocument(addresses.publicUrl()))),
  });
}
