import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestTraces } from '../http/request-trace.js';
import { createLogger } from '@kurir/logging';
import { addPages } from './built-pages.js';

const folder = mkdtempSync(join(tmpdir(), 'kurir-pages-'));
const page =
  '<!doctype html><script nonce="__CSP_NONCE__" src="/app/assets/a.js"></script><style nonce="__CSP_NONCE__"></style>';
let server: Server;
let url: string;

beforeAll(async () => {
  const app = express();
  app.use(requestTraces(createLogger({ name: 'api', level: 'silent', pretty: false })));
  addPages(app, folder);
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** The order of these tests matters: the build appears while the process runs. */
test('before the build, a page says what to do', async () => {
  const answer = await fetch(`${url}/app/devices`);
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain('npm run build');
});

test('after the build, every page is the built one, with a new nonce and nothing inline', async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'assets', 'a-1234.js'), 'export {};');
  writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const nonces = new Set<string>();
  for (const path of ['/app', '/app/', '/app/devices', '/app/messages/msg_01', '/app/join/tok']) {
    const answer = await fetch(url + path);
    const policy = answer.headers.get('content-security-policy') ?? '';
    const [, nonce = ''] = /script-src 'self' 'nonce-([^']+)'/.exec(policy) ?? [];
    expect(await answer.text()).toBe(page.replaceAll('__CSP_NONCE__', nonce));
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toContain('unsafe');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(5);
});

test('files with a hash in their names are cached for ever, and others for a while', async () => {
  const asset = await fetch(`${url}/app/assets/a-1234.js`);
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(asset.headers.get('content-type')).toMatch(/^text\/javascript/);
  expect((await fetch(`${url}/app/icon.svg`)).headers.get('cache-control')).toBe('public, max-age=3600');
});

test.each(['/app/assets/none.js', '/app/none.js', '/app/../package.json', '/app/%2e%2e/package.json', '/app/api/none'])(
  'there is no page at %s',
  async (path) => {
    expect((await fetch(url + path)).status).toBe(404);
  },
);
