/** A server of the web client's script. A test chooses its answers and counts its requests. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export type WebClient = {
  readonly url: string;
  readonly port: number;
  readonly requests: number;
  readonly connections: number;
  /** The request listener of this server, for use in another server. */
  readonly serve: RequestListener;
  answer(listener: RequestListener): void;
  /** Serves a script whose `client_revision` is this version. */
  say(version: string): void;
  close(): Promise<void>;
};

const script =
  (version: string): RequestListener =>
  (_request, response) =>
    void response.end(`self.x=JSON.parse("{\\"client_revision\\":${version.split('.').at(-1)},\\"y\\":1}");`);

export async function startWebClient(version: string): Promise<WebClient> {
  let listener = script(version);
  let requests = 0;
  let connections = 0;
  const serve: RequestListener = (request, response) => {
    requests += 1;
    listener(request, response);
  };
  const server = createServer(serve);
  server.on('connection', () => void (connections += 1));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A TCP server has an address object, not a pipe name.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/sw.js`,
    port,
    get requests() {
      return requests;
    },
    get connections() {
      return connections;
    },
    serve,
    answer(next) {
      listener = next;
    },
    say(next) {
      listener = script(next);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
