/** The worker's only HTTP endpoints: whether it is alive, and whether it can work. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WorkerHealth } from './worker-health.js';

export type HealthOptions = {
  readonly host: string;
  readonly port: number;
  /** The answers name it, so that a launcher sees whose process answers. */
  readonly instance?: string | undefined;
  readonly read: () => Promise<WorkerHealth>;
  /** Further fields of `/health/ready`. */
  readonly details?: () => object;
};

async function answerTo(url: string | undefined, options: HealthOptions): Promise<{ status: number; body: object }> {
  if (url === '/health/live') return { status: 200, body: { ok: true } };
  if (url !== '/health/ready') return { status: 404, body: { ok: false } };
  const health = await options.read();
  return { status: health.ok ? 200 : 503, body: { ...health, ...options.details?.() } };
}

export async function serveHealth(options: HealthOptions): Promise<{ port: number; server: Server }> {
  const server = createServer((request, response) => {
    void answerTo(request.url, options).then(({ status, body }) => {
      const named = options.instance === undefined ? {} : { 'x-kurir-instance': options.instance };
      response.writeHead(status, { 'content-type': 'application/json', ...named }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host, resolve);
  });
  // A server that listens on a port has an AddressInfo.
  return { port: (server.address() as AddressInfo).port, server };
}
