/** A customer's program that takes webhooks. It answers 401 to a delivery whose signature it finds wrong. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '@kurir/client';

export type Delivery = {
  readonly id: string;
  readonly type: string;
  /** As the program's log has them, one `name: value` a line. */
  readonly headers: string;
  /** Null: the request had none. */
  readonly traceparent: string | null;
  readonly body: string;
};

export type WebhookProgram = {
  readonly url: string;
  /** The secret that the developer has stored in the program. */
  secret: string;
  readonly taken: Delivery[];
  readonly refused: Delivery[];
  close(): Promise<void>;
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function headersOf({ headers }: IncomingMessage): string {
  const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return signed.map((name) => `${name}: ${String(headers[name])}`).join('\n');
}

export async function startWebhookProgram(): Promise<WebhookProgram> {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const program = {
    url: '',
    secret: '',
    taken: [] as Delivery[],
    refused: [] as Delivery[],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const { id, type } = JSON.parse(body) as { id: string; type: string };
    const { traceparent } = request.headers;
    const delivery = {
      id,
      type,
      headers: headersOf(request),
      traceparent: typeof traceparent === 'string' ? traceparent : null,
      body,
    };
    try {
      verifyWebhook(program.secret, request.headers, body);
      program.taken.push(delivery);
      response.writeHead(200).end('ok');
    } catch {
      program.refused.push(delivery);
      response.writeHead(401).end('wrong signature');
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this form.
  program.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/kurir`;
  return program;
}
