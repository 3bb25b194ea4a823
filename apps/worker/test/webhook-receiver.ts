/** A customer's server for webhooks. It checks each signature and behaves as the test says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '@kurir/signing';

export type Received = {
  readonly id: string;
  readonly type: string;
  readonly subjectId: string;
  readonly sequence: number;
  readonly body: string;
  readonly isValid: boolean;
  readonly at: number;
  /** The server answered with 200. */
  isTaken: boolean;
};

/** How the server treats one delivery. Without an answer, the sender waits. */
export type Behaviour = (response: ServerResponse, received: Received) => void;

export const take: Behaviour = (response) => void response.writeHead(200).end('ok');
export const refuse =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end(`refused with ${status}`);

export type Receiver = {
  readonly url: string;
  readonly secrets: string[];
  /** All deliveries, in the order in which they came. */
  readonly received: Received[];
  behave: Behaviour;
  close(): Promise<void>;
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const textOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy());
  });
  const receiver = {
    url: '',
    secrets: [] as string[],
    received: [] as Received[],
    behave: take,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const { headers } = request;
    const signed = {
      'webhook-id': textOf(headers['webhook-id']),
      'webhook-timestamp': textOf(headers['webhook-timestamp']),
      'webhook-signature': textOf(headers['webhook-signature']),
    };
    const event = JSON.parse(body) as { id: string; type: string; sequence: number; subject: { id: string } };
    const received: Received = {
      id: event.id,
      type: event.type,
      subjectId: event.subject.id,
      sequence: event.sequence,
      body,
      isValid: signed['webhook-id'] === event.id && verifyWebhook(receiver.secrets, signed, body) === 'valid',
      at: Date.now(),
      isTaken: false,
    };
    receiver.received.push(received);
    receiver.behave(response, received);
    received.isTaken = response.writableEnded && response.statusCode === 200;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?token=1`;
  return receiver;
}
