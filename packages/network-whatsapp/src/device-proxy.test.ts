import { connect, createServer, type Server, type Socket } from 'node:net';
import type { LinkEnd, SessionEnd } from '@kurir/network';
import { waitUntil } from '@kurir/network/conformance';
import { afterEach, describe, expect, test } from 'vitest';
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
    'fetches its history through it, and not around it',
    onTestBed(async (bed) => {
      const proxy = await listen(serveConnect);
      await bed.link();
      const person = await bed.person();
      person.phone.requireToken(true);
      person.phone.vouchFor(bed.phone.number);
      const { session } = await bed.connected({ proxyUrl: `http://user:secret@127.0.0.1:${proxy.port}` });
      await bed.phone.shareHistory(bed.phone.devices()[0]?.id ?? 0);
      const send = () => session.send(bed.message(person.number));
      await expect.poll(send, { timeout: 10_000 }).toEqual({ kind: 'sent' });
      const [, mediaPort] = bed.relay.mediaAddress.split(':');
      expect(proxy.targets).toEqual([new URL(bed.relay.url).port, mediaPort]);
      expect(bed.relay.journal.of('download')).toMatchObject([{ found: true }]);
    }),
  );

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
