/** The web client's script, as its server has it: whatever the test lets it answer, and how often it was asked. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export type WebClient = {
  readonly url: string;
  readonly port: number;
  readonly requests: number;
  readonly connections: number;
  /** Answers a request to another server as this one would. */
  readonly serve: RequestListener;
  answer(listener: RequestListener): void;
  /** It says this version, as `client_revision` in its script. */
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
