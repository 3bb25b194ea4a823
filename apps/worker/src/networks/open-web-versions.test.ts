/** The settings decide whether the worker looks the version up, where, and through which proxy. */
import { startHttpProxy } from '@kurir/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lookUpBy } from './open-web-versions.js';
import { startWebClient, type WebClient } from '../../test/web-client.js';

const live = new AbortController().signal;
let webClient: WebClient;

beforeEach(async () => {
  webClient = await startWebClient('2.3000.200');
});
afterEach(() => webClient.close());

const lookUp = (way: string | undefined, privateAddresses: 'allow' | 'refuse' = 'allow') =>
  lookUpBy({
    KURIR_WHATSAPP_URL: `ws://127.0.0.1:${webClient.port}/ws/chat`,
    KURIR_WHATSAPP_VERSION_FETCH: way,
    KURIR_PROXY_PRIVATE_ADDRESSES: privateAddresses,
  });

test.each([undefined, 'direct'])('with the setting %s the worker asks the chat server directly', async (way) => {
  expect(await lookUp(way)?.(live)).toMatch(/\.200$/);
  expect(webClient.connections).toBe(1);
});

test('with the setting off the worker asks nobody', () => expect(lookUp('off')).toBeNull());

test("the worker uses a proxy at any address, but the web client's address must be public if the settings say so", async () => {
  const proxy = await startHttpProxy();
  try {
    expect(await lookUp(proxy.url)?.(live)).toMatch(/\.200$/);
    expect(proxy.targets).toEqual([webClient.port]);
    for (const way of ['direct', proxy.url]) await expect(lookUp(way, 'refuse')?.(live)).rejects.toThrow('not public');
    expect([webClient.connections, proxy.targets.length]).toEqual([1, 1]);
  } finally {
    await proxy.close();
  }
});
