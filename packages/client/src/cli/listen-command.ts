/** `kurir listen`: the events of the account arrive at a program on this machine, signed like webhooks. */
import { isSentByDefault } from '@kurir/contracts';
import { makeWebhookSecret, signWebhook } from '@kurir/signing';
import type { Command } from 'commander';
import { KurirUsageError } from '../calls/errors.js';
import type { KurirEvent } from '../contract/call-types.js';
import { toSnakeCase } from '../contract/wire-case.js';
import { parseTypes } from './events-command.js';
import { forwardEvents } from './forward/forward-events.js';
import { parseForwardTo } from './forward/forward-to.js';
import type { Post } from './forward/post-event.js';
import { showTry } from './forward/try-lines.js';
import { type Begin, type Cli, deviceOf } from './terminal/cli.js';
import { readWebhookSecret } from './terminal/read-settings.js';

type ListenFlags = { forwardTo: string; after?: string; types?: KurirEvent['type'][] };

const help = `
Each event is a POST with the body and the signature of a webhook. Your program answers with 2xx within 15 seconds. An
event that it refuses is tried five times. While your program does not run, kurir waits for it. Ctrl+C ends this.

KURIR_WEBHOOK_SECRET is the secret that signs, like whsec_…. Without it kurir makes one and prints it.

Without --types your program gets what a webhook gets: all but message.accepted, message.sending, message.waiting and
message.sent_elsewhere.

With --json, each try is one line of JSON.

Example:
  $ kurir listen --forward-to http://localhost:8000/hook --types message.delivered,message.failed
`;

export function addListenCommand(program: Command, begin: Begin): void {
  program
    .command('listen')
    .description('Send the events of the account to a program on this machine, signed like webhooks.')
    .requiredOption('--forward-to <url>', 'the address of your program', parseForwardTo)
    .option('--after <cursor>', 'continue after this cursor; `earliest` is the oldest event; default: now')
    .option('--types <list>', 'only these types, with commas between, like message.delivered', parseTypes)
    .addHelpText('after', help)
    .action(async (flags: ListenFlags, own: Command) => {
      const cli = begin(own);
      await listen(cli, flags, deviceOf(own));
    });
}

async function listen(cli: Cli, flags: ListenFlags, deviceId: string | undefined): Promise<void> {
  const { types, after, forwardTo } = flags;
  const postOf = signedPosts(cli, forwardTo, types === undefined);
  const stop = new AbortController();
  cli.surroundings.onInterrupt?.(() => stop.abort());
  const events = cli.client.events({ types, after, deviceId, signal: stop.signal });
  cli.say(cli.paint.dim('Waiting for events. Ctrl+C ends this.'));
  const forwarded = await forwardEvents({
    events,
    postOf,
    onTry: showTry(cli),
    clock: cli.clock,
    signal: stop.signal,
  });
  cli.say(`Events taken: ${forwarded.taken}. Given up: ${forwarded.givenUp}.`);
  if (events.cursor !== null) cli.say(cli.paint.dim(`To continue from here, add --after ${events.cursor}`));
}

function signedPosts(cli: Cli, url: string, asWebhook: boolean): (event: KurirEvent) => Post | null {
  const secret = readWebhookSecret(cli.surroundings.environment) ?? newSecret(cli);
  const sign = (id: string, body: string) =>
    signWebhook([secret], { id, timestamp: Math.floor(cli.clock.now() / 1000), body });
  refuseUnusable(() => sign('', ''));
  return (event) => {
    if (asWebhook && !isSentByDefault(event.type)) return null;
    const body = JSON.stringify(toSnakeCase(event));
    return { url, body, headers: sign(event.id, body) };
  };
}

function newSecret({ json, surroundings, paint }: Cli): string {
  const secret = makeWebhookSecret();
  surroundings.stdout.write(json ? `${JSON.stringify({ secret })}\n` : `Signing with ${paint.bold(secret)}\n`);
  return secret;
}

function refuseUnusable(sign: () => unknown): void {
  try {
    sign();
  } catch (cause) {
    throw new KurirUsageError('KURIR_WEBHOOK_SECRET is no secret of a webhook. A secret is like whsec_…', { cause });
  }
}
