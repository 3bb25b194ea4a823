import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@kurir/logging';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerFailure } from '../http/answer-failure.js';
import { requestTraces } from '../http/request-trace.js';
import { answerNotFound } from './not-found.js';

const logger = createLogger({ name: 'api', level: 'silent', pretty: false });
let server: Server;
let url: string;

beforeAll(async () => {
  const app = express();
  app.use(requestTraces(logger));
  app.use(answerNotFound, answerFailure(logger));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const browser = (language: string) => ({ accept: 'text/html,*/*;q=0.8', 'accept-language': language });

test.each([
  ['en-GB,en', 'en', 'This page does not exist', '/docs/'],
  ['id-ID,id;q=0.9,en;q=0.8', 'id', 'Halaman ini tidak ada', '/docs/id/'],
  ['fr', 'en', 'This page does not exist', '/docs/'],
])('a browser that prefers %s gets a page in %s with ways out', async (accepted, language, heading, docs) => {
  const answer = await fetch(`${url}/nothing/<here>`, { headers: browser(accepted) });
  const html = await answer.text();
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('vary')).toBe('Accept, Accept-Language');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(html).toContain(`<html lang="${language}">`);
  expect(html).toContain(`<h1>${heading}</h1>`);
  expect(html).toContain('href="/app/"');
  expect(html).toContain(`href="${docs}"`);
  expect(html).not.toContain('<here>');
});

test.each([
  ['a program', '/nothing', 'GET', {}],
  ['a browser that calls the API', '/api/v1/nothing', 'GET', browser('en')],
  ['a page of the dashboard that calls the API', '/app/api/nothing', 'GET', browser('en')],
  ['a form', '/nothing', 'POST', browser('en')],
])('%s gets JSON', async (_, path, method, headers) => {
  const answer = await fetch(url + path, { method, headers });
  expect(answer.status).toBe(404);
  expect(answer.headers.get('vary')).toBe('Accept, Accept-Language');
  expect(await answer.json()).toMatchObject({ success: false, code: 'NOT_FOUND' });
});
