import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { freePort } from './machine/free-port.js';
import { createProxiedConnections } from './proxied-connections.js';

export type TcpProxy = {
  /** The URL of the target, with the address of the proxy in it. */
  readonly url: string;
  /** Resets all connections and refuses new ones, as if the target had died. */
  cut(): Promise<void>;
  /** Accepts connections again, on the same port. Safe to call on a proxy that is not cut. */
  restore(): Promise<void>;
  /** Keeps connections open and passes nothing on until `thaw`, as a silent network does. */
  freeze(): void;
  thaw(): void;
  /**
   * Forgets all connections and tells neither side, as a network may. New connections work. The returned function
   * resets the connections of the target only.
   */
  abandon(): () => void;
  /** Resets each open connection in the middle of the next chunk that the target sends. */
  tear(): void;
  close(): Promise<void>;
};

/** The proxies that are not closed. */
const open = new Set<TcpProxy>();

/** For `afterEach`: repairs the proxies that a failed test left cut or frozen. */
export async function restoreAllProxies(): Promise<void> {
  await Promise.all(
    [...open].map((proxy) => {
      proxy.thaw();
      return proxy.restore();
    }),
  );
}

/** Stands between a program and its Postgres or Redis, so that a test can cut the connection and restore it. */
export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const { join, freeze, thaw, abandon, tear, reset } = createProxiedConnections(new URL(targetUrl));
  const server = createServer(join);
  // No other program is given this port while the proxy is cut.
  const port = await freePort();
  await listen(server, port);

  async function cut(): Promise<void> {
    const closed = server.listening ? once(server, 'close') : undefined;
    server.close();
    reset();
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
    freeze,
    thaw,
    abandon,
    tear,
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
