import { type Agent, request } from 'node:https';
import { type AddressInfo, createServer, type LookupFunction, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createProxyAgent } from './proxy-agent.js';

const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

describe('a proxy inside the network, if such proxies are refused', () => {
  test('is not connected to through a name', async () => {
    const proxy = await listenAndHangUp();
    const names: LookupFunction = (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const failures: string[] = [];
    for (const scheme of ['http', 'socks5'])
      await expect(throughNames(`${scheme}://proxy.example.com:${proxy.port}`, names, failures)).rejects.toThrow();
    expect(failures).toEqual(['proxy_not_allowed', 'proxy_not_allowed']);
    expect(proxy.connections).toBe(0);
  });

  test.each(['http', 'socks5'])('is not reported for another connection at the same time (%s://)', async (scheme) => {
    const waiting: Parameters<LookupFunction>[2][] = [];
    const lookup: LookupFunction = (_name, _options, callback) => {
      waiting.push(callback);
      if (waiting.length < 2) return;
      waiting[0]?.(null, [{ address: '127.0.0.1', family: 4 }]);
      waiting[1]?.(new Error('not found'), []);
    };
    const failures: string[] = [];
    const onFailure = (failure: string) => void failures.push(failure);
    const agent = createProxyAgent(`${scheme}://proxy.example.com:1`, { privateProxies: 'refuse', onFailure, lookup });
    await Promise.allSettled([askThrough(agent), askThrough(agent)]);
    expect(failures.sort()).toEqual(['proxy_failed', 'proxy_not_allowed']);
  });
});

test('an error about an address does not contain its password', () => {
  expect(() => createProxyAgent('https://user:secret@127.0.0.1', { privateProxies: 'allow' })).toThrow(/^(?!.*secret)/);
});

/** Makes one request through the proxy, with the lookup of the test. */
function throughNames(proxyUrl: string, lookup: LookupFunction, failures: string[]): Promise<void> {
  const onFailure = (failure: string) => void failures.push(failure);
  return askThrough(createProxyAgent(proxyUrl, { privateProxies: 'refuse', onFailure, lookup }));
}

function askThrough(agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request({ host: '198.41.0.4', agent }, () => resolve())
      .on('error', reject)
      .end();
  });
}

type Proxy = { readonly port: number; readonly connections: number };

async function listenAndHangUp(): Promise<Proxy> {
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    client.destroy();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server has an address object, not a pipe name.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    get connections() {
      return connections;
    },
  };
}
