/**
 * The relay as a process, with a few recipients to write to. The first line on stdout is JSON and says where it is;
 * after it everything works. Ends with SIGINT or SIGTERM.
 */
import { parseArgs } from 'node:util';
import { type HttpSide, httpSide } from './http-side.js';
import { createRecipient, type Recipient } from './recipient.js';
import { createRelay } from './relay.js';

const help = `whatsapp-relay: a server on this machine that speaks WhatsApp's web protocol, with pretend phones

  --port <number>   default 4790; 0 takes a free one
  --host <address>  default 127.0.0.1; others can reach it with 0.0.0.0, and it asks nobody who they are
  --help

  GET  /phones/{number}/inbox   what a recipient received
  GET  /phones/{number}/typing  the typing signals that it saw
  POST /phones/{number}/read    {"id": "<a message's>"}
  POST /phones/{number}/scan    {"code": "<the QR's text>"}
  POST /phones/{number}/pair    {"code": "ABCD-EFGH"}
  POST /phones/{number}/send    {"to": "<number>", "text": "…"}
`;

const recipientNumbers = ['4915550000001', '4915550000002', '4915550000003'];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4790' },
      host: { type: 'string', default: '127.0.0.1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const recipients = new Map<string, Recipient>();
  let side: HttpSide | null = null;
  const relay = await createRelay({ host: values.host, port: readPort(values.port), onRequest: httpSide(() => side) });
  for (const number of recipientNumbers) recipients.set(number, await createRecipient(relay, number));
  side = { relay, recipients };
  const rootPublicKey = Buffer.from(relay.rootPublicKey).toString('base64');
  process.stdout.write(`${JSON.stringify({ url: relay.url, rootPublicKey, recipients: recipientNumbers })}\n`);
  await stopped();
  await Promise.all([...recipients.values()].map((recipient) => recipient.close()));
  await relay.close();
}

function readPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`--port ${text}: not a port`);
  return port;
}

function stopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`whatsapp-relay: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
