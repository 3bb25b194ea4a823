/** The last handler: a person gets a page with ways out, a program the envelope. */
import { ApiError, type Language } from '@kurir/contracts';
import type { RequestHandler } from 'express';
import { acceptedLanguage } from '../http/accepted-language.js';
import { answerHtml, stylePolicy } from './answer-html.js';
import { htmlPage, markup } from './html-page.js';
import { isBrowser } from './is-browser.js';

const style = `:root { color-scheme: light dark; }
body { max-width: 36rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif; }
a { color: inherit; display: inline-block; padding: 0.5rem 1.5rem 0.5rem 0; }`;

const policy = stylePolicy(style);

const texts = {
  en: {
    title: 'This page does not exist',
    note: 'The address may be old or mistyped.',
    dashboard: 'To the dashboard',
    docs: 'To the documentation',
    docsAddress: '/docs/',
  },
  id: {
    title: 'Halaman ini tidak ada',
    note: 'Alamatnya mungkin sudah lama atau salah ketik.',
    dashboard: 'Ke dasbor',
    docs: 'Ke dokumentasi',
    docsAddress: '/docs/id/',
  },
} as const;

function pageIn(lang: Language): string {
  const { title, note, dashboard, docs, docsAddress } = texts[lang];
  return htmlPage({
    lang,
    title: `${title} · Kurir`,
    style,
    body: markup`<main><h1>${title}</h1>
<p>${note}</p>
<p><a href="/app/">${dashboard}</a> <a href="${docsAddress}">${docs}</a></p></main>`,
  });
}

/** Only programs call these paths, though a person may type one. */
const isOfApi = /^\/(?:app\/)?api\//;

export const answerNotFound: RequestHandler = (req, res) => {
  res.setHeader('Vary', 'Accept, Accept-Language');
  const isLooking = req.method === 'GET' || req.method === 'HEAD';
  if (isLooking && isBrowser(req) && !isOfApi.test(req.path)) {
    const html = pageIn(acceptedLanguage(req.headers['accept-language']) ?? 'en');
    return answerHtml(res, { status: 404, html, policy });
  }
  throw new ApiError(
    'NOT_FOUND',
    'There is nothing at this path. See /docs for all paths. A path must match exactly, without a slash at the end.',
  );
};
