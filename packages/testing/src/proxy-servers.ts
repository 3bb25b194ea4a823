/**
 * Outbound proxies like those that customers rent: HTTP CONNECT (RFC 9110) and SOCKS5 with a password (RFC 1928, 1929).
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type ProxyServer = {
  /** The address, with user and password. */
  readonly url: string;
  /** The address with a wrong password. The proxy refuses it. */
  readonly wrongUrl: string;
  /** The ports that the proxy connected to, in order. */
  readonly targets: readonly number[];
  /** How many clients the proxy refused because of their password. */
  readonly refused: number;
  /** Safe to call twice. */
  close(): Promise<void>;
};

const user = 'user';
const password = 'canary-proxy-password';

type Serve = (
  client: Socket,
  join: (port: number, answer: string | Buffer) => void,
  refuse: () => void,
) => Promise<void>;

async function startProxy(scheme: 'http' | 'socks5', serve: Serve): Promise<ProxyServer> {
  const targets: number[] = [];
  const sockets = new Set<Socket>();
  let refused = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    return socket.on('error', () => socket.destroy());
  };
  const server = createServer((client) => {
    keep(client);
    const join = (port: number, answer: string | Buffer): void => {
      targets.push(port);
      const upstream = keep(
        connect(port, '127.0.0.1', () => {
          client.write(answer);
          client.pipe(upstream).pipe(client);
        }),
      );
      upstream.on('close', () => client.destroy());
      client.on('close', () => upstream.destroy());
    };
    // A client may leave during its greeting. That is no fault of the proxy.
    serve(client, join, () => refused++).catch(() => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server has an address object, not a pipe name.
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://${user}:${password}@127.0.0.1:${port}`,
    wrongUrl: `${scheme}://${user}:wrong@127.0.0.1:${port}`,
    targets,
    get refused() {
      return refused;
    },
    async close() {
      if (!server.listening) return;
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function next(client: Socket): Promise<Buffer> {
  const [chunk] = (await once(client, 'data')) as [Buffer];
  return chunk;
}

export const startHttpProxy = () =>
  startProxy('http', async (client, join, refuse) => {
    const head = (await next(client)).toString('latin1');
    const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    if (!head.includes(expected)) {
      refuse();
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    join(Number(/^CONNECT [^ ]+:(\d+) /.exec(head)?.[1]), 'HTTP/1.1 200 Connection established\r\n\r\n');
  });

const granted = Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]);

export const startSocksProxy = () =>
  startProxy('socks5', async (client, join, refuse) => {
    await next(client);
    client.write(Buffer.from([5, 2]));
    const login = await next(client);
    const userEnd = 2 + (login[1] ?? 0);
    if (login.subarray(userEnd + 1).toString() !== password) {
      refuse();
      client.end(Buffer.from([1, 1]));
      return;
    }
    client.write(Buffer.from([1, 0]));
    const request = await next(client);
    join(request.readUInt16BE(request.length - 2), granted);
  });
