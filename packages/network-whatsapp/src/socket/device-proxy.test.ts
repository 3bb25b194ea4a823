import { connect, createServer, type Server, type Socket } from 'node:net';
import type { LinkEnd, SessionEnd } from '@kurir/network';
import { waitUntil } from '@kurir/network/conformance';
import { afterEach, describe, expect, test } from 'vitest';
import { RelayFixture, withRelayFixture } from '../../test/relay-fixture.js';

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
      withRelayFixture(async (fixture) => {
        const proxy = await listen(serve);
        const proxyUrl = `${scheme}://user:secret@127.0.0.1:${proxy.port}`;
        const { end, codes } = fixture.startLinking('qr', proxyUrl);
        await waitUntil('a code is shown', () => codes.length > 0);
        await fixture.phone.scan(codes[0] ?? '');
        expect(await end).toMatchObject({ kind: 'linked' });
        const { session } = await fixture.connected({ proxyUrl });
        expect(await session.send(fixture.message((await fixture.person()).number))).toEqual({ kind: 'sent' });
        expect(proxy.targets).toEqual([new URL(fixture.relay.url).port, new URL(fixture.relay.url).port]);
      }),
    );
  }

  test(
    'fetches its history only through it',
    withRelayFixture(async (fixture) => {
      const proxy = await listen(serveConnect);
      await fixture.link();
      const person = await fixture.person();
      person.phone.requireToken(true);
      person.phone.vouchFor(fixture.phone.number);
      const { session } = await fixture.connected({ proxyUrl: `http://user:secret@127.0.0.1:${proxy.port}` });
      await fixture.phone.shareHistory(fixture.phone.devices()[0]?.id ?? 0);
      const send = () => session.send(fixture.message(person.number));
      await expect.poll(send, { timeout: 10_000 }).toEqual({ kind: 'sent' });
      const [, mediaPort] = fixture.relay.mediaAddress.split(':');
      expect(proxy.targets).toEqual([new URL(fixture.relay.url).port, mediaPort]);
      expect(fixture.relay.journal.of('download')).toMatchObject([{ found: true }]);
    }),
  );
});

describe('a device', () => {
  test(
    'whose proxy is not there reports it, linked or not, and does not connect without it',
    withRelayFixture(async (fixture) => {
      const nowhere = await fixture.startLinking('qr', 'http://127.0.0.1:1').end;
      expect(nowhere).toEqual({ kind: 'failed', reason: 'proxy_failed' });
      await fixture.link();
      const since = fixture.relay.journal.position;
      const { ends } = fixture.connect({ proxyUrl: 'socks5://127.0.0.1:1' });
      await waitUntil('the session ended', () => ends.length > 0);
      expect(ends).toEqual([{ reason: 'proxy_failed', next: 'reconnect' }]);
      expect(fixture.relay.journal.of('login', { since })).toEqual([]);
    }),
  );

  test(
    'whose proxy address is invalid neither links nor connects, and the process survives',
    withRelayFixture(async (fixture) => {
      expect(await fixture.startLinking('qr', 'ftp://127.0.0.1').end).toEqual({
        kind: 'failed',
        reason: 'proxy_failed',
      });
      await fixture.link();
      const { ends } = fixture.connect({ proxyUrl: 'nonsense' });
      await waitUntil('the session ended', () => ends.length > 0);
      expect(ends).toEqual([{ reason: 'proxy_failed', next: 'reconnect' }]);
    }),
  );

  test(
    'whose proxy refuses its password reports it',
    withRelayFixture(async (fixture) => {
      await fixture.link();
      const proxy = await listen(refuse);
      const { ends } = fixture.connect({ proxyUrl: `http://user:wrong@127.0.0.1:${proxy.port}` });
      await waitUntil('the session ended', () => ends.length > 0);
      expect(ends).toEqual([{ reason: 'proxy_failed', next: 'reconnect' }]);
    }),
  );

  test(
    'whose proxy works reports a failure of the network as such',
    withRelayFixture(async (fixture) => {
      await fixture.link();
      const proxy = await listen(serveConnect);
      fixture.relay.faults.logins({ reason: 503 }, { from: fixture.phone.number });
      const { ends } = fixture.connect({ proxyUrl: `http://127.0.0.1:${proxy.port}` });
      await waitUntil('the session ended', () => ends.length > 0);
      expect(ends).toMatchObject([{ reason: 'network_unavailable' }]);
    }),
  );
});

describe('a proxy on a private address, if those are refused', () => {
  test.each([
    ['http', '127.0.0.1'],
    ['socks5', '127.0.0.1'],
    ['http', 'localhost'],
    ['socks5', 'localhost'],
    ['socks5', '2130706433'],
    ['socks5', '[::ffff:127.0.0.1]'],
  ])('is not connected to by %s://%s, neither to link nor to log in', async (scheme, host) => {
    const proxy = await listen((client) => client.destroy());
    const { link, session } = await endsThrough(`${scheme}://${host}:${proxy.port}`);
    expect(link).toEqual({ kind: 'failed', reason: 'proxy_not_allowed' });
    expect(session).toEqual({ reason: 'proxy_not_allowed', next: 'reconnect' });
    expect(proxy.connections).toBe(0);
  });
});

/** The end of linking, and the end of a session of a linked device, through this proxy. */
async function endsThrough(proxyUrl: string): Promise<{ link: LinkEnd; session: SessionEnd | undefined }> {
  const fixture = await RelayFixture.start({ privateProxies: 'refuse' });
  try {
    const link = await fixture.startLinking('qr', proxyUrl).end;
    await fixture.link();
    const { ends } = fixture.connect({ proxyUrl });
    await waitUntil('the session ended', () => ends.length > 0);
    return { link, session: ends[0] };
  } finally {
    await fixture.close();
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
