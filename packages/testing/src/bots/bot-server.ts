/** A small HTTP server for the bots of the tests. It hands each JSON body to the bot. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Hook = (body: string, headers: IncomingHttpHeaders) => Promise<void>;
/** The settings of a bot: the address and the key of its gateway, and the secret that proves the webhooks. */
export type BotSettings = { readonly apiUrl: () => string; readonly apiKey: string; readonly secret: string };

export type Bot = {
  /** The address of the bot's webhook. */
  readonly url: string;
  /** The things that the bot saw: `message …`, `ack …`, and errors. */
  readonly seen: string[];
  close(): Promise<void>;
};

export async function startBotServer(path: string, seen: string[], hook: Hook): Promise<Bot> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      hook(Buffer.concat(chunks).toString('utf8'), request.headers).then(
        () => response.writeHead(request.url === path ? 200 : 404).end(),
        (error: unknown) => {
          seen.push(String(error));
          response.writeHead(500).end();
        },
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server on a port has an AddressInfo. Only a pipe has a string.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    seen,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Posts JSON and returns the answer. Throws for any status but `expected`. */
export async function postJson(
  url: string,
  headers: Record<string, string>,
  body: object,
  expected: number,
): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== expected) throw new Error(`${url} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
