import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  builtInVersion,
  fetchWebVersion,
  isNewerVersion,
  isWebVersion,
  numbersOf,
  versionUrlOf,
} from './web-version.js';

let server: Server | null = null;
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

async function serve(script: string): Promise<string> {
  server = createServer((_request, response) => response.end(script));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A TCP server has an address object, not a pipe name.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/sw.js`;
}

const [primary, secondary] = numbersOf(builtInVersion);

describe('the script of the web client', () => {
  test.each([
    ['{"client_revision":1050000001,"x":1}', 1_050_000_001],
    ['self.__swData=JSON.parse(/*BTDS*/"{\\"dynamic\\":{\\"client_revision\\":1050000002,\\"y\\":2}}")', 1_050_000_002],
    ['"client_revision": 7', 7],
    ['"client_revision":1,"client_revision":2', 1],
  ])('has a version in %j', async (script, revision) => {
    const url = await serve(script);
    expect(await fetchWebVersion({ url, privateAddresses: 'allow' })).toBe(`${primary}.${secondary}.${revision}`);
  });

  test.each([
    '',
    '<!doctype html><title>Log in</title>',
    '"client_revision":',
    '"client_revision":"new"',
    '"client_revision":-1',
    '"client_revision":4294967296',
    `"client_revision":${'9'.repeat(40)}`,
    'client_revision:1050000001',
  ])('has no version in %j', async (script) => {
    const url = await serve(script);
    await expect(fetchWebVersion({ url, privateAddresses: 'allow' })).rejects.toThrow('says no version');
  });

  test('is not fetched from a private address', async () => {
    const url = await serve('"client_revision":1050000001');
    await expect(fetchWebVersion({ url, privateAddresses: 'refuse' })).rejects.toThrow('not public');
  });
});

test.each([
  ['wss://web.whatsapp.com/ws/chat', 'https://web.whatsapp.com/sw.js'],
  ['ws://127.0.0.1:4790/ws/chat', 'http://127.0.0.1:4790/sw.js'],
  ['wss://web.whatsapp.com/ws/chat?ED=x', 'https://web.whatsapp.com/sw.js'],
])('the script of the server %s is at %s', (webSocketUrl, url) => expect(versionUrlOf(webSocketUrl)).toBe(url));

test.each([
  ['2.3000.10', '2.3000.9', true],
  ['2.3000.9', '2.3000.10', false],
  ['2.3000.9', '2.3000.9', false],
  ['2.3001.0', '2.3000.9', true],
  ['10.0.0', '2.3000.9', true],
] as const)('%s is newer than %s: %s', (version, than, expected) =>
  expect(isNewerVersion(version, than)).toBe(expected),
);

test.each(['', '2.3000', 'a.b.c', '2.3000.-1', '2.3000.1 ', '2.3000.4294967296'])('%j is no version', (text) =>
  expect(isWebVersion(text)).toBe(false),
);

test('the built-in version is a version', () => expect(isWebVersion(builtInVersion)).toBe(true));
