/** The connections through one TCP proxy, and the faults that a test can cause on them. */
import { connect, type Socket } from 'node:net';

export type ProxiedConnections = {
  /** Connects a client of the proxy to the target. */
  join(client: Socket): void;
  freeze(): void;
  thaw(): void;
  /** See `abandon` of `TcpProxy`. */
  abandon(): () => void;
  tear(): void;
  /** Resets all connections, the abandoned ones too. */
  reset(): void;
};

export function createProxiedConnections(target: URL): ProxiedConnections {
  const sockets = new Set<Socket>();
  const upstreams = new Set<Socket>();
  const abandoned = new Set<Socket>();
  const torn = new WeakSet<Socket>();
  let frozen = false;

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

  function pipe(from: Socket, to: Socket): void {
    keep(from);
    from.on('data', (chunk) => pass(from, to, chunk));
    from.on('close', () => {
      if (!abandoned.has(to)) to.destroy();
    });
  }

  function abandon(): () => void {
    const gone = [...sockets];
    for (const socket of gone) {
      socket.pause();
      abandoned.add(socket);
    }
    sockets.clear();
    return () => {
      for (const socket of gone) if (upstreams.has(socket)) socket.resetAndDestroy();
    };
  }

  return {
    join(client) {
      const upstream = connect(Number(target.port), target.hostname);
      upstreams.add(upstream);
      upstream.on('close', () => upstreams.delete(upstream));
      pipe(client, upstream);
      pipe(upstream, client);
    },
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    abandon,
    tear() {
      for (const upstream of upstreams) torn.add(upstream);
    },
    reset() {
      for (const socket of [...sockets, ...abandoned]) socket.resetAndDestroy();
      abandoned.clear();
    },
  };
}
