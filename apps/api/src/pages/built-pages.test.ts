import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
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
const script = 'export {};';
const compressions = [
  ['.br', brotliCompressSync],
  ['.gz', gzipSync],
] as const;
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
  writeFileSync(join(folder, 'assets', 'a-1234.js'), script);
  for (const [ending, compress] of compressions) {
    writeFileSync(join(folder, 'assets', `a-1234.js${ending}`), compress(script));
    writeFileSync(join(folder, 'assets', `gone-1234.js${ending}`), compress(script));
  }
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

const encodingOf = async (path: string, accepted: string) => {
  const answer = await fetch(url + path, { headers: { 'Accept-Encoding': accepted } });
  return [answer.status, answer.headers.get('content-encoding'), await answer.text()];
};

test('a browser gets the compressed file that it understands', async () => {
  const asset = '/app/assets/a-1234.js';
  expect(await encodingOf(asset, 'gzip, deflate, br, zstd')).toEqual([200, 'br', script]);
  expect(await encodingOf(asset, 'gzip')).toEqual([200, 'gzip', script]);
  expect(await encodingOf(asset, 'br;q=0')).toEqual([200, null, script]);
  expect(await encodingOf(asset, 'identity')).toEqual([200, null, script]);
  const { headers } = await fetch(url + asset, { headers: { 'Accept-Encoding': 'br' } });
  expect(headers.get('vary')).toBe('Accept-Encoding');
  expect(headers.get('content-type')).toMatch(/^text\/javascript/);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test('a file that a new build has removed is not found, and the answer is not called compressed', async () => {
  for (const [ending] of compressions) rmSync(join(folder, 'assets', `gone-1234.js${ending}`));
  const [status, encoding] = await encodingOf('/app/assets/gone-1234.js', 'br');
  expect([status, encoding]).toEqual([404, null]);
});

test.each(['/app/assets/none.js', '/app/none.js', '/app/../package.json', '/app/%2e%2e/package.json', '/app/api/none'])(
  'there is no page at %s',
  async (path) => {
    expect((await fetch(url + path)).status).toBe(404);
  },
);
