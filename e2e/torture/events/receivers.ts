/** The servers of customers with webhooks. They are slow, refuse, reset and lie, and now and then are down for seconds. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../plan/random.js';
import { type DeliveryLog, deliveryOf, type ShownEvent } from '../records/delivery-log.js';

export type Receivers = {
  /** By account. */
  readonly urls: ReadonlyMap<number, string>;
  /** From now on, all take each event at once. */
  behaveWell(): void;
  close(): Promise<void>;
};

const downEveryMs = 20_000;
const downForMs = 4_000;
const slowMs = 2_000;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

type Trouble = (response: ServerResponse) => void;

/** None of these is a success. */
const troubles: readonly Trouble[] = [
  (response) => void response.writeHead(500).end('broken'),
  (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  (response) => void response.socket?.resetAndDestroy(),
  (response) => void setTimeout(() => response.writeHead(503).end(), slowMs),
  (response) => void response.socket?.end('no HTTP at all\r\n\r\n'),
  (response) => void response.writeHead(404).end(Buffer.alloc(200_000)),
];

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    // A server that listens on a port has an address of this form.
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`));
  });

export async function startReceivers(
  accounts: readonly number[],
  random: Random,
  log: DeliveryLog,
): Promise<Receivers> {
  let isWell = false;
  const startedAt = performance.now();
  const isDown = () => (performance.now() - startedAt) % downEveryMs > downEveryMs - downForMs;

  function troubleOfNow(): Trouble | undefined {
    if (isWell) return undefined;
    if (isDown()) return troubles[2];
    return random.chance(0.04) ? random.pick(troubles) : undefined;
  }

  async function receive(account: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const trouble = troubleOfNow();
    if (trouble !== undefined) return trouble(response);
    // The gateway wrote the body. The check compares it with the log of events.
    log.add(deliveryOf(account, JSON.parse(body) as ShownEvent, body));
    response.writeHead(200).end('ok');
  }

  const servers = accounts.map((account) => ({
    account,
    server: createServer((request, response) => {
      receive(account, request, response).catch(() => response.destroy());
    }),
  }));
  const urls = new Map<number, string>();
  for (const { account, server } of servers) urls.set(account, await listen(server));
  return {
    urls,
    behaveWell() {
      isWell = true;
    },
    async close() {
      for (const { server } of servers) server.closeAllConnections();
      await Promise.all(servers.map(({ server }) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
