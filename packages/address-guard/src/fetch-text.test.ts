import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type LookupFunction } from 'node:net';
import { type ProxyServer, startHttpProxy, startSocksProxy } from '@kurir/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { FetchFailed, fetchText, type FetchOptions } from './fetch-text.js';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

type Target = { readonly url: string; readonly port: number; readonly connections: number };

async function serve(answer: RequestListener): Promise<Target> {
  const server: Server = createServer(answer);
  let connections = 0;
  server.on('connection', () => void (connections += 1));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  // A TCP server has an address object, not a pipe name.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/sw.js`,
    port,
    get connections() {
      return connections;
    },
  };
}

const fetchFrom = (url: string, options: Partial<FetchOptions> = {}) =>
  fetchText(url, { privateAddresses: 'allow', maxBytes: 1_000, timeoutMs: 5_000, ...options });

const leadsInside: LookupFunction = (_name, _options, callback) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }]);

test('a text is fetched with the given headers', async () => {
  const { url } = await serve((request, response) => response.end(`for ${request.headers['user-agent']}`));
  expect(await fetchFrom(url, { headers: { 'user-agent': 'us' } })).toBe('for us');
});

describe('nothing is fetched, and the error says why,', () => {
  test.each([
    [404, /status 404/],
    [500, /status 500/],
    [204, /status 204/],
  ])('for status %i', async (status, words) => {
    const { url } = await serve((_request, response) => response.writeHead(status).end());
    await expect(fetchFrom(url)).rejects.toThrow(words);
  });

  test('when the server redirects, and the target is not asked', async () => {
    const other = await serve((_request, response) => response.end('of the other'));
    const { url } = await serve((_request, response) => response.writeHead(302, { location: other.url }).end());
    await expect(fetchFrom(url)).rejects.toThrow('status 302');
    expect(other.connections).toBe(0);
  });

  test('from a body without an end', async () => {
    const { url } = await serve((_request, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(500)));
      };
      response.on('drain', write);
      write();
    });
    await expect(fetchFrom(url)).rejects.toThrow('more than 1000 bytes');
  });

  test('from a server that begins and then stays silent', async () => {
    const { url } = await serve((_request, response) => void response.write('x'));
    await expect(fetchFrom(url, { timeoutMs: 200 })).rejects.toThrow('no answer in time');
  });

  test('from a server that breaks off in the middle', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('x', () => response.destroy());
    });
    await expect(fetchFrom(url)).rejects.toBeInstanceOf(FetchFailed);
  });

  test('when the caller aborts', async () => {
    const over = new AbortController();
    const { url } = await serve(() => over.abort());
    await expect(fetchFrom(url, { signal: over.signal })).rejects.toBeInstanceOf(FetchFailed);
  });

  test.each(['', 'nonsense', 'ftp://example.com/'])('for the address %j', async (url) => {
    await expect(fetchFrom(url, { privateAddresses: 'refuse' })).rejects.toBeInstanceOf(FetchFailed);
  });
});

test('a private address is not connected to if that is refused, neither by number nor by name', async () => {
  const { url, port, ...target } = await serve((_request, response) => response.end('inside'));
  const named = `http://web.example.com:${port}/sw.js`;
  for (const [address, lookup] of [[url], [named, leadsInside]] as const) {
    const fetched = fetchFrom(address, { privateAddresses: 'refuse', ...(lookup && { lookup }) });
    await expect(fetched).rejects.toThrow('not public');
  }
  expect(target.connections).toBe(0);
});

describe.each([
  ['http', startHttpProxy],
  ['socks5', startSocksProxy],
])('through an %s proxy', (scheme, startProxy) => {
  async function start(): Promise<ProxyServer> {
    const proxy = await startProxy();
    closing.push(() => proxy.close());
    return proxy;
  }

  test('each request goes through the proxy, and none around it', async () => {
    const [proxy, target] = await Promise.all([start(), serve((_request, response) => response.end('there'))]);
    expect(await fetchFrom(target.url, { proxyUrl: proxy.url })).toBe('there');
    expect(proxy.targets).toEqual([target.port]);
    expect(target.connections).toBe(1);
  });

  test('that refuses its password or is away, no request goes, and the error does not contain the password', async () => {
    const [proxy, target] = await Promise.all([start(), serve((_request, response) => response.end('there'))]);
    await proxy.close();
    const restarted = await start();
    for (const proxyUrl of [restarted.wrongUrl, proxy.url]) {
      const failed: unknown = await fetchFrom(target.url, { proxyUrl }).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(FetchFailed);
      expect(JSON.stringify(failed, Object.getOwnPropertyNames(failed))).not.toMatch(/wrong|canary/);
    }
    expect(target.connections).toBe(0);
  });

  test('that stays silent, the request fails in time', async () => {
    const target = await serve((_request, response) => response.end('there'));
    const silent = createTcpServer((socket) => void closing.push(async () => socket.destroy()));
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    closing.push(async () => silent.close());
    const { port } = silent.address() as AddressInfo;
    const proxyUrl = `${scheme}://127.0.0.1:${port}`;
    await expect(fetchFrom(target.url, { proxyUrl, timeoutMs: 200 })).rejects.toThrow('no answer in time');
    expect(target.connections).toBe(0);
  });
});
