/** `kurir bridge`: a bot that was written for another gateway works with this one. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { KurirUsageError } from '../calls/errors.js';
import type { KurirEvent } from '../contract/call-types.js';
import { createCarryOut } from './bridge/carry-out.js';
import { type BridgeServer, isLoopback, startBridgeServer } from './bridge/bridge-server.js';
import { cloud } from './bridge/cloud.js';
import { evolution } from './bridge/evolution.js';
import { createKnownChats, type KnownChats } from './bridge/known-chats.js';
import type { OpenSetup, Peer, PeerSetup } from './bridge/peer.js';
import { waha } from './bridge/waha.js';
import { forwardEvents } from './forward/forward-events.js';
import { parseForwardTo } from './forward/forward-to.js';
import type { Post } from './forward/post-event.js';
import { showTry } from './forward/try-lines.js';
import type { Begin, Cli } from './terminal/cli.js';
import { harmless } from './terminal/layout.js';
import { type BridgeSecrets, readBridgeSecrets } from './terminal/read-settings.js';

const peers = { waha, evolution, cloud } as const satisfies Record<string, Peer>;

type BridgeFlags = {
  as: keyof typeof peers;
  forwardTo: string;
  name?: string;
  port: number;
  host: string;
  allowNetwork?: boolean;
  after?: string;
};

/** Many bots think before they answer the webhook. */
const botTimeoutMs = 30_000;
/** How long calls in flight may take after Ctrl+C. */
const finishMs = 10_000;

const help = `
You do not change the bot's code. Its webhook setting is not needed. kurir sends the events to --forward-to. Point the bot's
base URL at the address that kurir prints.

KURIR_BRIDGE_SECRET signs the events as the peer does. Evolution API has no signature: the apikey in the body is this secret, or else the key.
KURIR_BRIDGE_KEY is the key that your bot must send. Without it each program on this machine may call.

docs/moving-in.md lists the events and calls.

Example:
  $ kurir bridge --as waha --forward-to http://localhost:8000/webhook --port 3001
`;

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > 65_535) throw new InvalidArgumentError('Give a port from 1 to 65535, or 0 for a free one.');
  return port;
}

export function addBridgeCommand(program: Command, begin: Begin): void {
  program
    .command('bridge')
    .description('Run beside a bot that was written for WAHA, Evolution API or the WhatsApp Cloud API.')
    .addOption(
      new Option('--as <peer>', 'the gateway that the bot knows').choices(Object.keys(peers)).makeOptionMandatory(),
    )
    .requiredOption('--forward-to <url>', "the address of the bot's webhook", parseForwardTo)
    .option('--name <name>', 'the session, instance or phone number id that the bot knows')
    .option('--port <port>', 'where the bot calls', parsePort, 3001)
    .option('--host <address>', 'where the bot calls; another one than loopback needs --allow-network', '127.0.0.1')
    .option('--allow-network', 'let other machines call; needs KURIR_BRIDGE_KEY')
    .option('--after <cursor>', 'continue after this cursor; `earliest` is the oldest event; default: now')
    .addHelpText('after', help)
    .action(async (flags: BridgeFlags, own: Command) => bridge(begin(own), flags));
}

async function bridge(cli: Cli, flags: BridgeFlags): Promise<void> {
  const { deviceId } = cli.settings;
  if (deviceId === null) throw new KurirUsageError('A bot has one device. Set KURIR_DEVICE_ID, or give --device.');
  const secrets = readBridgeSecrets(cli.surroundings.environment);
  refuseOpenDoor(flags, secrets);
  const peer = peers[flags.as];
  const setup = { name: flags.name ?? peer.defaultName, ...secrets };
  const chats = createKnownChats(cli.client, deviceId);
  const stop = new AbortController();
  cli.surroundings.onInterrupt?.(() => stop.abort());
  const server = await openServer(cli, flags, { peer, setup, chats });
  try {
    cli.say(`${flags.as} at ${cli.paint.bold(server.url)}, as ${setup.name}. Ctrl+C ends this.`);
    if (cli.json) cli.surroundings.stdout.write(`${JSON.stringify({ url: server.url, name: setup.name })}\n`);
    const events = cli.client.events({ after: flags.after, deviceId, signal: stop.signal });
    const postOf = peerPosts(cli, flags.forwardTo, { peer, setup: { ...setup, url: server.url }, chats });
    await forwardEvents({ events, postOf, onTry: showTry(cli), clock: cli.clock, signal: stop.signal });
    if (events.cursor !== null) cli.say(cli.paint.dim(`To continue from here, add --after ${events.cursor}`));
  } finally {
    await server.close();
  }
}

function refuseOpenDoor({ host, allowNetwork }: BridgeFlags, { key }: BridgeSecrets): void {
  if (isLoopback(host)) return;
  if (allowNetwork !== true)
    throw new KurirUsageError(
      `Other machines could send messages through ${host}. If you want that, add --allow-network.`,
    );
  if (key === null)
    throw new KurirUsageError('--allow-network needs KURIR_BRIDGE_KEY, which each call must then bear.');
}

type Parts = { readonly peer: Peer; readonly setup: PeerSetup; readonly chats: KnownChats };

async function openServer(cli: Cli, { host, port }: BridgeFlags, parts: Parts): Promise<BridgeServer> {
  const { peer, setup, chats } = parts;
  try {
    return await startBridgeServer({
      peer,
      setup,
      host,
      port,
      finishMs,
      carryOut: createCarryOut(cli.client, chats, cli.clock),
      onCall: ({ path, status, error }) => cli.say(harmless(`${path}  ${status}${error === null ? '' : `  ${error}`}`)),
    });
  } catch (cause) {
    throw new KurirUsageError(`Port ${port} of ${host} cannot be opened. Choose another one with --port.`, { cause });
  }
}

function peerPosts(
  cli: Cli,
  url: string,
  { peer, setup, chats }: Parts & { setup: OpenSetup },
): (event: KurirEvent) => Promise<Post | null> {
  return async (event) => {
    await chats.note(event);
    const rendered = peer.render(event, setup, chats.recall);
    if (rendered === null) return null;
    const body = JSON.stringify(rendered);
    const headers = setup.secret === null ? {} : peer.sign(body, event, setup.secret, cli.clock.now());
    return { url, body, headers, timeoutMs: botTimeoutMs };
  };
}
