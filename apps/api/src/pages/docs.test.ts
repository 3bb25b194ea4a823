import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import express from 'express';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '@kurir/logging';
import { requestTraces } from '../http/request-trace.js';
import { addDocs } from './docs.js';

const folder = mkdtempSync(join(tmpdir(), 'kurir-docs-'));
let server: Server;
let url: string;

beforeAll(async () => {
  const app = express();
  app.enable('strict routing');
  app.use(requestTraces(createLogger({ name: 'api', level: 'silent', pretty: false })));
  addDocs(app, folder);
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(url + path, { redirect: 'manual', headers: { accept: 'text/html', ...headers } });

/** The order of these tests matters: the build appears while the process runs. */
test('before the build, a page says what to do', async () => {
  const answer = await get('/docs/');
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('npm run build')]);
});

test('after the build, an address without an ending is a page, and no page may hold anything inline', async () => {
  mkdirSync(join(folder, 'assets'));
  mkdirSync(join(folder, 'id'));
  mkdirSync(join(folder, 'reference'));
  const pages = { '404': 'missing', index: 'first', guide: 'guide', 'id/index': 'pertama', 'reference/send': 'send' };
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, `${name}.html`), text);
  writeFileSync(join(folder, 'guide.html.br'), brotliCompressSync('guide'));
  writeFileSync(join(folder, 'assets/a.1234.js'), 'export {};');
  const addresses = ['/docs/', '/docs/guide?x=1.2', '/docs/id/', '/docs/reference/send'];
  const answers = await Promise.all(addresses.map((path) => get(path)));
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['first', 'guide', 'pertama', 'send']);
  for (const { headers } of answers) {
    expect(headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self'; ");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('public, max-age=0');
  }
  expect((await get('/docs/guide', { 'accept-encoding': 'br' })).headers.get('content-encoding')).toBe('br');
  expect((await get('/docs/assets/a.1234.js')).headers.get('cache-control')).toContain('immutable');
});

test.each(['/docs', '/docs/id'])('%s leads to the address with a slash', async (path) => {
  const answer = await get(`${path}?search=x`);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, `${path}/?search=x`]);
});

const indonesian = { 'accept-language': 'id-ID,id;q=0.9,en;q=0.8' };
const english = { 'accept-language': 'en-GB,en;q=0.9,id;q=0.8' };
const choice = (language: string) => ({ cookie: `a=b; kurir_docs_language=${language}` });

test.each([
  ['/docs', indonesian, '/docs/id/'],
  ['/docs/', indonesian, '/docs/id/'],
  ['/docs/?search=kode', indonesian, '/docs/id/?search=kode'],
  ['/docs/', { ...english, ...choice('id') }, '/docs/id/'],
  ['/docs/?lang=id', { ...english, ...choice('en') }, '/docs/id/?lang=id'],
  ['/docs/', english, null],
  ['/docs/', { 'accept-language': 'fr' }, null],
  ['/docs/', { ...indonesian, ...choice('en') }, null],
  ['/docs/', { ...indonesian, ...choice('xx') }, '/docs/id/'],
  ['/docs/?lang=en', indonesian, null],
  ['/docs/guide', indonesian, null],
  ['/docs/id/', { ...english, ...choice('en') }, null],
])('%s with %j leads to %s', async (path, headers, target) => {
  const answer = await get(path, headers);
  expect([answer.status, answer.headers.get('location')]).toEqual(target === null ? [200, null] : [302, target]);
});

test('the first page says which headers change its answer', async () => {
  const answers = await Promise.all([get('/docs', english), get('/docs/', indonesian), get('/docs/', english)]);
  for (const { headers } of answers)
    expect(headers.get('vary')?.split(', ')).toEqual(expect.arrayContaining(['Accept-Language', 'Cookie']));
});

test.each([
  '/docs/none',
  '/docs/guide/',
  '/docs//',
  '/docs/reference/',
  '/docs/%2e%2e%2fpackage.json',
  '/docs/none.js',
])('there is no page at %s', async (path) => {
  const answer = await get(path);
  expect([answer.status, await answer.text()]).toEqual([404, 'missing']);
});
