import { type Agent, request } from 'node:https';
import { connect, createServer, type LookupFunction, type Server, type Socket } from 'node:net';
import { waitUntil } from '@kurir/network/conformance';
import { afterEach, describe, expect, test } from 'vitest';
import { createProxyAgent } from './proxy-agent.js';
import type { LinkEnd, SessionEnd } from '@kurir/network';
import { onTestBed, TestBed } from './testing/test-bed.js';

const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

describe('a device with a proxy', () => {
  for (const [scheme, serve] of [
    ['http', serveConnect],
    ['socks5', serveSocks],
  ] as const) {
    test(
      `links, connects and sends through it (${scheme}://)`,
      onTestBed(async (bed) => {
        const proxy = await listen(serve);
        const proxyUrl = `${scheme}://user:secret@127.0.0.1:${proxy.port}`;
        const { end, codes } = bed.startLinking('qr', proxyUrl);
        await waitUntil('a code is shown', () => codes.length > 0);
        await bed.phone.scan(codes[0] ?? '');
        expect(await end).toMatchObject({ kind: 'linked' });
        const { session } = await bed.connected({ proxyUrl });
        expect(await session.send(bed.message((await bed.person()).number))).toEqual({ kind: 'sent' });
        expect(proxy.targets).toEqual([new URL(bed.relay.url).port, new URL(bed.relay.url).port]);
      }),
    );
  }

  test(
    'whose proxy is not there says so, linked or not, and does not go around it',
    onTestBed(async (bed) => {
      const nowhere = await bed.startLinking('qr', 'http://127.0.0.1:1').end;
      expect(nowhere).toEqual({ kind: 'failed', reason: 'proxy_failed' });
      await bed.link();
      const since = bed.relay.journal.position;
      const { ends } = bed.connect({ proxyUrl: 'socks5://127.0.0.1:1' });
      await waitUntil('the session ended', () => ends.length > 0);
      expect(ends).toEqual([{ reason: 'proxy_failed', next: 'reconnect' }]);
      expect(bed.relay.journal.of('login', { since })).toEqual([]);
    }),
  );

  test(
    'whose proxy address is none neither links nor connects, and no worker falls',
    onTestBed(async (bed) => {
      expect(await bed.startLinking('qr', 'ftp://127.0.0.1').end).toEqual({ kind: 'failed', reason: 'proxy_failed' });
      await bed.link();
      const { ends } = bed.connect({ proxyUrl: 'nonsense' });
      await waitUntil('the session ended', () => ends.length > 0);
      expect(ends).toEqual([{ reason: 'proxy_failed', next: 'reconnect' }]);
    }),
  );

  test(
    'whose proxy refuses its password says so',
    onTestBed(async (bed) => {
      await bed.link();
      const proxy = await listen(refuse);
      const { ends } = bed.connect({ proxyUrl: `http://user:wrong@127.0.0.1:${proxy.port}` });
      await waitUntil('the session ended', () => ends.length > 0);
      expect(ends).toEqual([{ reason: 'proxy_failed', next: 'reconnect' }]);
    }),
  );

  test(
    'whose proxy works blames the network for what the network did',
    onTestBed(async (bed) => {
      await bed.link();
      const proxy = await listen(serveConnect);
      bed.relay.faults.logins({ reason: 503 }, { from: bed.phone.number });
      const { ends } = bed.connect({ proxyUrl: `http://127.0.0.1:${proxy.port}` });
      await waitUntil('the session ended', () => ends.length > 0);
      expect(ends).toMatchObject([{ reason: 'network_unavailable' }]);
    }),
  );
});

describe('a proxy inside the own network, where those are refused', () => {
  test.each([
    ['http', '127.0.0.1'],
    ['socks5', '127.0.0.1'],
    ['http', 'localhost'],
    ['socks5', 'localhost'],
    ['socks5', '2130706433'],
    ['socks5', '[::ffff:127.0.0.1]'],
  ])('is not connected to by %s://%s, to link or to log in', async (scheme, host) => {
    const proxy = await listen((client) => client.destroy());
    const { link, session } = await endsThrough(`${scheme}://${host}:${proxy.port}`);
    expect(link).toEqual({ kind: 'failed', reason: 'proxy_not_allowed' });
    expect(session).toEqual({ reason: 'proxy_not_allowed', next: 'reconnect' });
    expect(proxy.connections).toBe(0);
  });

  test('is not connected to by a name that leads there', async () => {
    const proxy = await listen((client) => client.destroy());
    const names: LookupFunction = (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const failures: string[] = [];
    for (const scheme of ['http', 'socks5'])
      await expect(throughNames(`${scheme}://proxy.example.com:${proxy.port}`, names, failures)).rejects.toThrow();
    expect(failures).toEqual(['proxy_not_allowed', 'proxy_not_allowed']);
    expect(proxy.connections).toBe(0);
  });

  test.each(['http', 'socks5'])('is not what another connection failed by in the meantime (%s://)', async (scheme) => {
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

test('a complaint about an address does not repeat its password', () => {
  expect(() => createProxyAgent('https://user:secret@127.0.0.1', { privateProxies: 'allow' })).toThrow(/^(?!.*secret)/);
});

/** How linking ends, and a session of a device that is linked already. */
async function endsThrough(proxyUrl: string): Promise<{ link: LinkEnd; session: SessionEnd | undefined }> {
  const bed = await TestBed.start({ privateProxies: 'refuse' });
  try {
    const link = await bed.startLinking('qr', proxyUrl).end;
    await bed.link();
    const { ends } = bed.connect({ proxyUrl });
    await waitUntil('the session ended', () => ends.length > 0);
    return { link, session: ends[0] };
  } finally {
    await bed.close();
  }
}

/** One request through the proxy, whose name is looked up as the test says. */
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

type Proxy = { readonly port: number; readonly targets: string[]; readonly connections: number };

async function listen(serve: (client: Socket, targets: string[]) => void): Promise<Proxy> {
  const targets: string[] = [];
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    client.on('error', () => client.destroy());
    serve(client, targets);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    port,
    targets,
    get connections() {
      return connections;
    },
  };
}

function refuse(client: Socket): void {
  client.once('data', () => client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
}

function serveConnect(client: Socket, targets: string[]): void {
  client.once('data', (head) => {
    const [, port = ''] = /^CONNECT [^:]+:(\d+)/.exec(head.toString('latin1')) ?? [];
    targets.push(port);
    join(client, port, 'HTTP/1.1 200 OK\r\n\r\n');
  });
}

/** RFC 1928 with user and password (RFC 1929), for one connection by IPv4. */
function serveSocks(client: Socket, targets: string[]): void {
  client.once('data', () => {
    client.write(Buffer.from([5, 2]));
    client.once('data', () => {
      client.write(Buffer.from([1, 0]));
      client.once('data', (request) => {
        const port = String(request.readUInt16BE(request.length - 2));
        targets.push(port);
        join(client, port, Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
      });
    });
  });
}

function join(client: Socket, port: string, answer: string | Buffer): void {
  const upstream = connect(Number(port), '127.0.0.1', () => {
    client.write(answer);
    client.pipe(upstream).pipe(client);
  });
  upstream.on('error', () => client.destroy());
  upstream.on('close', () => client.destroy());
  client.on('close', () => upstream.destroy());
}
