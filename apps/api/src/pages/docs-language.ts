/**
 * Chooses the language of the first page of the documentation. The address comes first, then the choice that the site
 * keeps in a cookie, then the browser. The Indonesian page never leads away, so nobody goes in circles.
 */
import { isLanguage, type Language } from '@kurir/contracts';
import type { Request, RequestHandler } from 'express';
import type { ServerResponse } from 'node:http';
import { acceptedLanguage } from '../http/accepted-language.js';
import { queryOf } from '../http/request-target.js';

/** `apps/docs/src/theme/chosen-language.ts` writes it. */
const chosen = /(?:^|;\s*)kurir_docs_language=(\w+)/;

/** Names the headers on which the choice depends. */
export const varyByLanguage = (res: ServerResponse): ServerResponse =>
  res.appendHeader('Vary', 'Accept-Language, Cookie');

function languageOf({ originalUrl, headers }: Request): Language | null {
  const { lang } = queryOf(originalUrl);
  const [, kept] = chosen.exec(headers.cookie ?? '') ?? [];
  return [lang, kept].find(isLanguage) ?? acceptedLanguage(headers['accept-language']);
}

const queryPart = (url: string) => /\?.*$/.exec(url)?.[0] ?? '';

/** Leads to the first page, or to the first page in Indonesian. */
export const leadToFirstPage: RequestHandler = (req, res) => {
  varyByLanguage(res);
  res.redirect(302, `/docs/${languageOf(req) === 'id' ? 'id/' : ''}${queryPart(req.originalUrl)}`);
};

/** Leads an Indonesian reader of `/docs/` on. Anybody else gets the page. */
export const leadToLanguage: RequestHandler = (req, res, next) => {
  if (languageOf(req) === 'id') return leadToFirstPage(req, res, next);
  next();
};

export const leadToIndonesian: RequestHandler = (req, res) =>
  res.redirect(302, `/docs/id/${queryPart(req.originalUrl)}`);
