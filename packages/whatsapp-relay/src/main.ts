/**
 * The relay as a process, with a few recipients to write to. The first line on stdout is JSON with its address; from
 * then on everything works. SIGINT or SIGTERM ends it.
 */
import { parseArgs } from 'node:util';
import { type HttpSide, httpSide } from './http-side.js';
import { createRecipient, type InboxMessage, type Recipient } from './recipients/recipient.js';
import { createRelay, type Relay } from './server/relay.js';
import { readRemembered, type RememberedRelay, writeRemembered } from './server/remembered.js';

const help = `whatsapp-relay: a server on this machine that speaks WhatsApp's web protocol, with pretend phones

  --port <number>   default 4790; 0 takes a free one
  --host <address>  default 127.0.0.1; others can reach it with 0.0.0.0, and it asks nobody who they are
  --state <file>    remembers phones, linked devices and inboxes in it; without it they are forgotten at the end
  --recipients <count>  real clients to write to, 0 to 50, default 3
  --instance <name> every answer returns it as the header X-Kurir-Instance
  --help

  GET  /phones                  all phones with their devices
  GET  /phones/{number}/inbox   what a recipient received
  GET  /phones/{number}/typing  the typing signals that it saw
  GET  /counters                what the relay saw, in numbers
  POST /phones/{number}/read    {"id": "<a message's>"}
  POST /phones/{number}/deliveries  its phone reports, unread, what arrives
  POST /phones/{number}/scan    {"code": "<the QR's text>"}
  POST /phones/{number}/pair    {"code": "ABCD-EFGH"}
  POST /phones/{number}/unlink  {"device": 1}
  POST /phones/{number}/timelock  {"until": "<ISO 8601 time>" or null}
  POST /phones/{number}/passkey {"required": true}
  POST /phones/{number}/migrated {"migrated": false}
  POST /phones/{number}/send    {"to": "<number>", "text": "…"}
`;

const firstRecipient = 4915550000001;
const mostRecipients = 50;
const keepEveryMs = 250;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4790' },
      host: { type: 'string', default: '127.0.0.1' },
      recipients: { type: 'string', default: '3' },
      state: { type: 'string' },
      instance: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const count = readWhole('recipients', values.recipients, mostRecipients);
  const recipientNumbers = Array.from({ length: count }, (_, i) => String(firstRecipient + i));
  const recipients = new Map<string, Recipient>();
  const remembered = values.state === undefined ? null : readState(values.state);
  let side: HttpSide | null = null;
  const relay = await createRelay({
    host: values.host,
    port: readWhole('port', values.port, 65_535),
    onRequest: httpSide(() => side, values),
    remembered: remembered?.relay,
  });
  for (const number of recipientNumbers) {
    const earlier = await replaceReader(relay, remembered?.inboxes.get(number));
    recipients.set(number, await createRecipient(relay, number, earlier));
  }
  const keep = values.state === undefined ? null : keepState(values.state, relay, recipients);
  side = { relay, recipients };
  const rootPublicKey = Buffer.from(relay.rootPublicKey).toString('base64');
  process.stdout.write(`${JSON.stringify({ url: relay.url, rootPublicKey, recipients: recipientNumbers })}\n`);
  await stopped();
  keep?.stop();
  await Promise.all([...recipients.values()].map((recipient) => recipient.close()));
  await relay.close();
}

type Inbox = { readonly number: string; readonly deviceId: number; readonly messages: readonly InboxMessage[] };
type State = { readonly relay: RememberedRelay; readonly inboxes: ReadonlyMap<string, Inbox> };

/** The cast is safe: only this program writes the file. */
const readState = (file: string) => readRemembered(file) as State | null;

/**
 * Each start makes a new client for a recipient, so this unlinks the earlier one. Returns the messages that it had
 * received.
 */
async function replaceReader(relay: Relay, inbox: Inbox | undefined): Promise<readonly InboxMessage[]> {
  if (inbox === undefined) return [];
  const phone = await relay.createPhone(inbox.number);
  if (phone.devices().some(({ id }) => id === inbox.deviceId)) phone.unlink(inbox.deviceId);
  return inbox.messages;
}

/** Writes the state whenever the journal has new entries, and at the end. */
function keepState(file: string, relay: Relay, recipients: ReadonlyMap<string, Recipient>): { stop(): void } {
  let written = -1;
  const write = () => {
    written = relay.journal.position;
    const inboxes = new Map(
      [...recipients].map(([number, { deviceId, inbox }]) => [number, { number, deviceId, messages: inbox }]),
    );
    writeRemembered(file, { relay: relay.remember(), inboxes } satisfies State);
  };
  const timer = setInterval(() => {
    if (relay.journal.position !== written) write();
  }, keepEveryMs);
  write();
  return {
    stop() {
      clearInterval(timer);
      write();
    },
  };
}

function readWhole(name: string, text: string, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new Error(`--${name} ${text}: not a whole number from 0 to ${most}`);
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
