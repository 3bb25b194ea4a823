import type { Express } from 'express';
import { answerSuccess } from '../answer.js';
import type { Api } from '../api.js';
import { addRoute } from '../route.js';

export function addIndexRoute(app: Express, { addresses }: Api): void {
  addRoute(app, '/', {
    GET: (_req, res) => {
      const url = addresses.publicUrl();
      answerSuccess(res, 'Kurir, a messaging gateway', {
        docs: `${url}/docs`,
        openapi: `${url}/openapi.json`,
        health: `${url}/health/ready`,
      });
    },
  });
}
