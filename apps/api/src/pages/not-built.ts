/** Says that the pages of a part have not been built. */
import type { ServerResponse } from 'node:http';
import { answerHtml, stylePolicy } from './answer-html.js';
import { htmlPage, markup } from './html-page.js';

const style = 'body { max-width: 36rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }';

const policy = stylePolicy(style);

const pageFor = (part: string) =>
  htmlPage({
    lang: 'en',
    title: 'Kurir',
    style,
    body: markup`<h1>${part} is not built</h1>
<p>Build with <code>npm run build</code>, then load this page again. The api works without it.</p>
<p>All operations stand in <a href="/openapi.json">/openapi.json</a>.</p>`,
  });

export function answerNotBuilt(res: ServerResponse, part: string): void {
  answerHtml(res, { status: 503, html: pageFor(part), policy });
}
