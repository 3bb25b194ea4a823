import { connect, createServer, type Server, type Socket } from 'node:net';
import { waitUntil } from '@kurir/network/conformance';
import { afterEach, describe, expect, test } from 'vitest';
import { createProxyAgent } from './proxy-agent.js';
import { onTestBed } from './testing/test-bed.js';

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

test('a complaint about an address does not repeat its password', () => {
  expect(() => createProxyAgent('https://user:secret@127.0.0.1')).toThrow(/^(?!.*secret)/);
});

type Proxy = { readonly port: number; readonly targets: string[] };

async function listen(serve: (client: Socket, targets: string[]) => void): Promise<Proxy> {
  const targets: string[] = [];
  const server = createServer((client) => {
    client.on('error', () => client.destroy());
    serve(client, targets);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, targets };
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
