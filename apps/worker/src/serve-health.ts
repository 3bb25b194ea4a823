/** The worker's only HTTP endpoints: whether it is alive, and whether it can work. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type HealthOptions = {
  readonly host: string;
  readonly port: number;
  /** The answers name it, so that a launcher sees whose process answers. */
  readonly instance?: string | undefined;
  /** Rejects if the worker cannot work. */
  readonly check: () => Promise<void>;
  /** Further fields of `/health/ready`. They are there even if the worker cannot work. */
  readonly details?: () => object;
};

async function statusOf(url: string | undefined, check: () => Promise<void>): Promise<number> {
  if (url === '/health/live') return 200;
  if (url !== '/health/ready') return 404;
  try {
    await check();
    return 200;
  } catch {
    return 503;
  }
}

export async function serveHealth(options: HealthOptions): Promise<{ port: number; server: Server }> {
  const server = createServer((request, response) => {
    void statusOf(request.url, options.check).then((status) => {
      const details = request.url === '/health/ready' ? options.details?.() : undefined;
      const answer = JSON.stringify({ ok: status === 200, ...details });
      const named = options.instance === undefined ? {} : { 'x-kurir-instance': options.instance };
      response.writeHead(status, { 'content-type': 'application/json', ...named }).end(answer);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host, resolve);
  });
  // A server that listens on a port has an AddressInfo.
  return { port: (server.address() as AddressInfo).port, server };
}
