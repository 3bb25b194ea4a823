/**
 * Receives Kurir's webhooks with Node's built-ins only. `verifyWebhook` of the `@kurir/client` package does the check in
 * one call.
 *   KURIR_WEBHOOK_SECRET=whsec_… npx -y tsx receive.ts
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';

type Event = { id: string; type: string };

const toleranceSeconds = 300;
const maxBodyBytes = 1_048_576;

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set.`);
  return value;
}

const key = Buffer.from(setting('KURIR_WEBHOOK_SECRET').replace(/^whsec_/, ''), 'base64');

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // The rest is read too, so that the sender gets an answer instead of a broken connection.
    if (bytes <= maxBodyBytes) chunks.push(chunk);
  }
  return bytes <= maxBodyBytes ? Buffer.concat(chunks) : null;
}

/** Compares the signature with the bytes as they arrived. JSON that is parsed and written again may differ. */
function isSigned({ headers }: IncomingMessage, body: Buffer): boolean {
  const [id, timestamp, signatures] = [
    headers['webhook-id'],
    headers['webhook-timestamp'],
    headers['webhook-signature'],
  ].map(String);
  if (!/^\d{1,12}$/.test(timestamp ?? '')) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  // While a secret is replaced, Kurir signs with the old one and the new one.
  return (signatures ?? '').split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return signature.startsWith('v1,') && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

/** Kurir repeats an event until it gets an answer. Your program: insert the id into a table with a unique index. */
const handled = new Set<string>();

function handle(event: Event): void {
  if (handled.has(event.id)) return;
  handled.add(event.id);
  console.log(event.type, event.id);
}

async function answer(request: IncomingMessage): Promise<number> {
  const body = await readBody(request);
  if (body === null) return 413;
  if (!isSigned(request, body)) return 401;
  // The signature proves that the body is Kurir's.
  handle(JSON.parse(body.toString('utf8')) as Event);
  return 204;
}

const server = createServer((request, response) => {
  answer(request).then(
    (status) => response.writeHead(status).end(),
    (error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    },
  );
});
server.listen(Number(process.env['PORT'] ?? 8000), '127.0.0.1');
