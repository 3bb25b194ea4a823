import type { Express } from 'express';
import { answerSuccess } from '../http/answer.js';
import type { Ground } from '../http/ground.js';
import { addRoute } from '../http/route.js';

export function addIndexRoute(app: Express, { addresses }: Ground): void {
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
