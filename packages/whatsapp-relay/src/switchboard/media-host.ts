/**
 * The https server for encrypted media. POST stores a file and returns its place; GET returns the file. Clients encrypt
 * before they upload, so the relay never has the keys.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Journal } from './journal.js';
import { createSelfSignedCertificate } from './self-signed-certificate.js';

export type MediaHost = {
  /** `host:port`; always https. */
  readonly address: string;
  /** The CA that clients must trust: `fetchAgent` for uploads, `NODE_EXTRA_CA_CERTS` for fetch. */
  readonly certificatePem: string;
  /** Stores a file that a phone uploads, and returns its path. */
  keep(body: Buffer): string;
  close(): Promise<void>;
};

export async function openMediaHost(host: string, journal: Journal): Promise<MediaHost> {
  const { certificatePem, keyPem } = createSelfSignedCertificate();
  const stored = new Map<string, Buffer>();
  let address = '';

  function keep(body: Buffer): string {
    const directPath = `/v/${stored.size + 1}`;
    stored.set(directPath, body);
    return directPath;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'https://relay').pathname;
    if (request.method !== 'POST') return download(path, response);
    const body = await readBody(request);
    const directPath = keep(body);
    journal.record({ kind: 'upload', path, bytes: body.length });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ url: `https://${address}${directPath}`, direct_path: directPath }));
  }

  function download(path: string, response: ServerResponse): void {
    const body = stored.get(path);
    journal.record({ kind: 'download', path, found: body !== undefined });
    response.statusCode = body ? 200 : 404;
    response.end(body);
  }

  const server = createServer({ key: keyPem, cert: certificatePem }, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  // A TCP server has an address object, not a pipe name.
  address = `${host}:${(server.address() as AddressInfo).port}`;
  return {
    address,
    certificatePem,
    keep,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}
