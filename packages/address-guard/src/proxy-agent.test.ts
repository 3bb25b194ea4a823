import { type Agent, request } from 'node:https';
import { type AddressInfo, createServer, type LookupFunction, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createProxyAgent } from './proxy-agent.js';

const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

describe('a proxy inside the network, if such proxies are refused', () => {
  const unknown: LookupFunction = (_name, _options, callback) => callback(new Error('not found'), []);
  const leadsTo =
    (address: string): LookupFunction =>
    (_name, _options, callback) =>
      callback(null, [{ address, family: 4 }]);

  test.each(['http', 'socks5'])('is not connected to through a name (%s://)', async (scheme) => {
    const proxy = await listenAndHangUp();
    const failures: string[] = [];
    const url = `${scheme}://proxy.example.com:${proxy.port}`;
    await expect(throughNames(url, leadsTo('127.0.0.1'), failures)).rejects.toThrow();
    expect(proxy.connections).toBe(0);
  });

  test.each(['http', 'socks5'])('does not say whether a name exists inside (%s://)', async (scheme) => {
    const failures: string[] = [];
    const url = `${scheme}://postgres:5432`;
    for (const names of [leadsTo('10.0.0.7'), unknown])
      await expect(throughNames(url, names, failures)).rejects.toThrow();
    expect(failures).toEqual(['proxy_failed', 'proxy_failed']);
  });

  test.each(['10.0.0.7', '[::1]', 'localhost', '2130706433'])(
    'is named as such if the URL itself says so: %s',
    async (host) => {
      const failures: string[] = [];
      await expect(throughNames(`http://${host}:1`, unknown, failures)).rejects.toThrow();
      expect(failures).toEqual(['proxy_not_allowed']);
    },
  );
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
