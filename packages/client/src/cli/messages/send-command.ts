import { type Command, Option } from 'commander';
import type { SendMessageInput } from '../../contract/call-types.js';
import { withClientRef } from '../../calls/client-ref.js';
import { KurirConnectionError, KurirUsageError } from '../../calls/errors.js';
import type { Begin, Cli } from '../terminal/cli.js';
import { parseDuration, parseMoment, parseNumber } from '../terminal/parse-time.js';
import { readText } from '../terminal/read-text.js';
import { sendBulk } from './send-bulk.js';
import { addWaitOptions, type WaitFlags, waitAndPrint } from './wait-options.js';

type SendFlags = WaitFlags & {
  priority?: 'otp' | 'normal' | 'bulk';
  ttl?: number;
  sendAt?: Date;
  clientRef?: string;
  bulk?: string;
  refPrefix?: string;
};

const examples = `
Examples:
  $ kurir send 6281234567890 "Kode Anda 493021" --priority otp --ttl 2m --wait
  $ kurir send 6281234567890 "See you tomorrow" --send-at 2026-11-22T09:00+07:00
  $ echo "Good news" | kurir send 6281234567890 -
  $ kurir send --bulk campaign.jsonl --priority bulk

A line of campaign.jsonl is the body of one send:
  {"phone_destination": "6281234567890", "message": "Hello", "client_ref": "order-7781"}
`;

export function addSendCommand(program: Command, begin: Begin): void {
  const command = program
    .command('send')
    .argument('[number]', 'the phone number: digits with country code')
    .argument('[text]', 'the text of the message; - reads it from standard input')
    .description('Send a message, or a file of messages with --bulk.')
    .addOption(
      new Option('--priority <priority>', 'otp goes before normal, normal before bulk').choices([
        'otp',
        'normal',
        'bulk',
      ]),
    )
    .option('--ttl <duration>', 'do not send it after this time, like 90s or 5m', parseDuration)
    .option('--send-at <time>', 'when to send it: a date and a time, or a time from now, like 10m', (text) =>
      parseMoment(text),
    )
    .option('--client-ref <text>', 'your own id of the message; a repeat with the same id is not sent again')
    .option('--bulk <file>', 'send each line of a JSON lines file; - reads standard input')
    .option('--ref-prefix <text>', 'with --bulk: a line without client_ref gets this text and its line number')
    .addHelpText('after', examples)
    .action(async (number: string | undefined, text: string | undefined, flags: SendFlags, own: Command) => {
      if (flags.bulk === undefined) await sendOne(begin, own, number, text, flags);
      else await sendFile(begin, own, number, flags.bulk, flags);
    });
  addWaitOptions(command);
}

function defaultsFrom({ priority, ttl, sendAt }: SendFlags) {
  return { priority, ttlSeconds: ttl, sendAt };
}

async function sendOne(
  begin: Begin,
  own: Command,
  number: string | undefined,
  text: string | undefined,
  flags: SendFlags,
): Promise<void> {
  if (number === undefined || text === undefined)
    throw new KurirUsageError('Give a number and a text, or --bulk <file>.');
  if (flags.refPrefix !== undefined) throw new KurirUsageError('--ref-prefix belongs to --bulk; use --client-ref.');
  const cli = begin(own);
  const message = text === '-' ? (await readText(cli.surroundings.stdin)).replace(/\r?\n$/, '') : text;
  const phoneDestination = parseNumber(number);
  await accept(cli, { ...defaultsFrom(flags), message, phoneDestination, clientRef: flags.clientRef }, flags);
}

async function accept(cli: Cli, input: SendMessageInput, flags: WaitFlags): Promise<void> {
  const message = withClientRef(input);
  const sent = await cli.client.sendMessage(message).catch((error: unknown) => {
    if (error instanceof KurirConnectionError && error.mayHaveArrived) {
      cli.say(`It may have been accepted. Repeat it with --client-ref ${message.clientRef} and it is sent only once.`);
    }
    throw error;
  });
  if (!flags.wait) return cli.print(sent, () => [`${cli.paint.green('accepted')}  ${sent.jobId}`]);
  cli.say(`${cli.paint.green('accepted')}  ${sent.jobId}`);
  await waitAndPrint(cli, sent.jobId, flags);
}

async function sendFile(
  begin: Begin,
  own: Command,
  number: string | undefined,
  file: string,
  flags: SendFlags,
): Promise<void> {
  if (number !== undefined) throw new KurirUsageError('--bulk takes numbers and texts from the file.');
  if (flags.wait || flags.clientRef !== undefined) {
    throw new KurirUsageError('--wait and --client-ref are for one message; a line of the file may have a client_ref.');
  }
  await sendBulk(begin(own), file, { defaults: defaultsFrom(flags), refPrefix: flags.refPrefix });
}
