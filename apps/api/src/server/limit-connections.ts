/**
 * Limits the open connections of the process and of each network. Behind a trusted proxy all connections come from its
 * address, so only the limit of the process holds, and the proxy limits its callers.
 */
import type { Server } from 'node:http';
import type { Logger } from '@kurir/logging';
import { networkOf } from '../http/callers/network-of.js';

export type ConnectionLimits = { readonly processMax: number; readonly networkMax: number };

export const connectionLimits: ConnectionLimits = { processMax: 10_000, networkMax: 1_000 };

/** A flood writes one line per this time. */
const tellEveryMs = 10_000;

export function limitConnections(
  server: Server,
  given: { readonly logger: Logger; readonly trustedProxies: number; readonly limits?: ConnectionLimits },
): void {
  const { processMax, networkMax } = given.limits ?? connectionLimits;
  const open = new Map<string, number>();
  let toldAt = Number.NEGATIVE_INFINITY;
  const tell = () => {
    if (performance.now() - toldAt < tellEveryMs) return;
    toldAt = performance.now();
    given.logger.warn({ processMax, networkMax }, 'too many connections: new ones are closed');
  };

  server.maxConnections = processMax;
  server.on('drop', tell);
  if (given.trustedProxies > 0) return;
  server.prependListener('connection', (socket) => {
    const network = networkOf(socket.remoteAddress);
    const count = (open.get(network) ?? 0) + 1;
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
    if (count <= networkMax) return;
    tell();
    socket.destroy();
  });
}
