import type { Express } from 'express';
import { answerSuccess } from '../http/answer.js';
import type { Ground } from '../http/ground.js';
import { addRoute } from '../http/route.js';
import { isBrowser } from './is-browser.js';

export function addIndexRoute(app: Express, { addresses }: Ground): void {
  // Browsers ask for it on every page that names no icon.
  addRoute(app, '/favicon.ico', { GET: (_req, res) => res.redirect(302, '/app/icon.svg') });
  addRoute(app, '/', {
    GET: (req, res) => {
      res.setHeader('Vary', 'Accept');
      if (isBrowser(req)) return res.redirect(302, '/app/');
      const url = addresses.publicUrl();
      answerSuccess(res, 'Kurir, a messaging gateway', {
        docs: `${url}/docs`,
        openapi: `${url}/openapi.json`,
        health: `${url}/health/ready`,
      });
    },
  });
}
