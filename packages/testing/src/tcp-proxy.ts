import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { once } from 'node:events';
import { freePort } from './free-port.js';

export type TcpProxy = {
  /** The target's URL with the proxy's address in it. */
  readonly url: string;
  /** Resets all connections and refuses new ones, as if the target had died. */
  cut(): Promise<void>;
  /** Takes connections again, on the same port. Safe to call on a proxy that is not cut. */
  restore(): Promise<void>;
  /** Keeps connections open and lets nothing through, as if the network had gone silent, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /**
   * Forgets all connections without telling either side, as a network may; new ones work. The answer tells the target, and only
   * that, as if it had asked at last.
   */
  abandon(): () => void;
  /** Breaks every open connection off in the middle of the next thing that the target says on it. */
  tear(): void;
  close(): Promise<void>;
};

/** Those that are not closed. */
const open = new Set<TcpProxy>();

/** For `afterEach`: whatever a test cut or froze works again for the next test, even if the test failed before it did so. */
export async function restoreAllProxies(): Promise<void> {
  await Promise.all(
    [...open].map((proxy) => {
      proxy.thaw();
      return proxy.restore();
    }),
  );
}

/** Stands between a program and its Postgres or Redis, so that a test can take that away and give it back. */
export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  const upstreams = new Set<Socket>();
  const abandoned = new Set<Socket>();
  let frozen = false;
  const torn = new WeakSet<Socket>();

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      abandoned.delete(socket);
    });
    socket.on('error', () => socket.destroy());
    if (frozen) socket.pause();
  }

  function pass(from: Socket, to: Socket, chunk: Buffer): void {
    if (!torn.delete(from)) return void to.write(chunk);
    to.write(chunk.subarray(0, chunk.length >> 1), () => to.resetAndDestroy());
    from.resetAndDestroy();
  }

  function join(client: Socket): void {
    const upstream = connect(Number(target.port), target.hostname);
    upstreams.add(upstream);
    upstream.on('close', () => upstreams.delete(upstream));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      keep(from);
      from.on('data', (chunk) => pass(from, to, chunk));
      from.on('close', () => {
        if (!abandoned.has(to)) to.destroy();
      });
    }
  }

  const server = createServer(join);
  // Nobody else is given this port while the proxy is cut.
  const port = await freePort();
  await listen(server, port);

  async function cut(): Promise<void> {
    const closed = server.listening ? once(server, 'close') : undefined;
    server.close();
    for (const socket of [...sockets, ...abandoned]) socket.resetAndDestroy();
    abandoned.clear();
    await closed;
  }

  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const proxy: TcpProxy = {
    url: url.href,
    cut,
    async restore() {
      if (!server.listening) await listen(server, port);
    },
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    abandon() {
      const gone = [...sockets];
      for (const socket of gone) {
        socket.pause();
        abandoned.add(socket);
      }
      sockets.clear();
      return () => {
        for (const socket of gone) if (upstreams.has(socket)) socket.resetAndDestroy();
      };
    },
    tear() {
      for (const upstream of upstreams) torn.add(upstream);
    },
    close() {
      open.delete(proxy);
      return cut();
    },
  };
  open.add(proxy);
  return proxy;
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
