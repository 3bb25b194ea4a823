/** Serves `/metrics` on a port of its own, so that the public address of the api shows nothing of the inside. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { metrics } from './metrics.js';
import { measureProcess, registry } from './instruments.js';

export type MetricsServer = { readonly port: number; close(): void };

export type MetricsOptions = {
  readonly program: 'api' | 'worker';
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** A scraper must send it as `Authorization: Bearer …`. Without one, anybody who reaches the port may read. */
  readonly token: string | undefined;
  /** Brings the gauges up to date before each answer. Must not reject. */
  readonly refresh: () => Promise<void>;
};

/** Prometheus gives up after ten seconds. If Postgres is silent, the rest of the metrics is still of use. */
const refreshMs = 3_000;

/** The version of the whole gateway. All packages have it. */
export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const digest = (text: string) => createHash('sha256').update(text).digest();

function mayRead(authorization: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return true;
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));
}

async function readAll(refresh: MetricsOptions['refresh']): Promise<string> {
  await Promise.race([refresh(), sleep(refreshMs, undefined, { ref: false })]);
  return registry.metrics();
}

/** Rejects if the port is taken. */
export async function serveMetrics({ program, host, port, token, refresh }: MetricsOptions): Promise<MetricsServer> {
  measureProcess();
  metrics.buildInfo.show([[{ program, version, node: process.version }, 1]]);
  const server = createServer((request, response) => {
    if (request.url?.split('?')[0] !== '/metrics') response.writeHead(404).end('See /metrics.\n');
    else if (!mayRead(request.headers.authorization, token))
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('Send the token of KURIR_METRICS_TOKEN.\n');
    else
      readAll(refresh).then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        () => response.writeHead(500).end('The metrics cannot be read.\n'),
      );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    // A server that listens on a port has an AddressInfo.
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
