import { type Command, InvalidArgumentError, Option } from 'commander';
import type { SendMessageInput } from '../../contract/call-types.js';
import { withClientRef } from '../../calls/client-ref.js';
import { KurirConnectionError, KurirError, KurirUsageError } from '../../calls/errors.js';
import type { Begin, Cli } from '../terminal/cli.js';
import { parseDuration, parseMoment, parseNumber } from '../terminal/parse-time.js';
import { readText } from '../terminal/read-text.js';
import { sendBulk } from './send-bulk.js';
import { addWaitOptions, type WaitFlags, waitForSent } from './wait-options.js';

type SendFlags = WaitFlags & {
  conversation?: string;
  replyTo?: string;
  priority?: 'otp' | 'normal' | 'bulk';
  category?: 'authentication' | 'transactional' | 'marketing';
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
  $ kurir send --conversation cnv_01kajp4m3s5y8zt0v6qk2c9hbe "Ready tomorrow" --reply-to inb_01kajp4m3s5y8zt0v6qk2c9hbe
  $ kurir send --bulk campaign.jsonl --priority bulk --category marketing

kurir conversations lists the ids of conversations; kurir conversations show <id> --json has the ids of their messages.

A line of campaign.jsonl is the body of one send:
  {"phone_destination": "6281234567890", "message": "Hello", "client_ref": "order-7781"}
`;

function parseConversation(text: string): string {
  if (!/^cnv_[0-9a-z]+$/.test(text))
    throw new InvalidArgumentError('Give an id like cnv_…; kurir conversations lists them.');
  return text;
}

function parseReplyTo(text: string): string {
  if (!/^(inb|msg)_[0-9a-z]+$/.test(text))
    throw new InvalidArgumentError(
      'Give a message_id like inb_…, or a job_id like msg_…; kurir conversations show <id> --json has them.',
    );
  return text;
}

export function addSendCommand(program: Command, begin: Begin): void {
  const command = program
    .command('send')
    .argument('[number]', 'the phone number: digits with country code')
    .argument('[text]', 'the text of the message; - reads it from standard input')
    .description('Send a message, or a file of messages with --bulk.')
    .option('--conversation <id>', 'send to this conversation; give only the text then', parseConversation)
    .option('--reply-to <id>', 'reply to this message of the same chat, or to this job of yours', parseReplyTo)
    .addOption(
      new Option('--priority <priority>', 'otp goes before normal, normal before bulk').choices([
        'otp',
        'normal',
        'bulk',
      ]),
    )
    .addOption(
      new Option('--category <category>', 'the purpose; a person who opted out gets no marketing').choices([
        'authentication',
        'transactional',
        'marketing',
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

function defaultsFrom({ priority, category, ttl, sendAt }: SendFlags) {
  return { priority, category, ttlSeconds: ttl, sendAt };
}

/** With --conversation, the only argument is the text. */
function recipientAndText(number: string | undefined, text: string | undefined, conversationId: string | undefined) {
  if (conversationId !== undefined) {
    if (number === undefined) throw new KurirUsageError('Give the text of the message.');
    if (text !== undefined) throw new KurirUsageError('With --conversation, give only the text.');
    return { recipient: { conversationId }, text: number };
  }
  if (number === undefined || text === undefined)
    throw new KurirUsageError('Give a number and a text, --conversation <id> and a text, or --bulk <file>.');
  if (number.startsWith('cnv_'))
    throw new KurirUsageError(`To send to a conversation, give --conversation ${number} instead of a number.`);
  return { recipient: { phoneDestination: parseNumber(number) }, text };
}

async function sendOne(
  begin: Begin,
  own: Command,
  number: string | undefined,
  given: string | undefined,
  flags: SendFlags,
): Promise<void> {
  const { conversation, replyTo, clientRef } = flags;
  const { recipient, text } = recipientAndText(number, given, conversation);
  if (flags.refPrefix !== undefined) throw new KurirUsageError('--ref-prefix belongs to --bulk; use --client-ref.');
  const cli = begin(own);
  const message = text === '-' ? (await readText(cli.surroundings.stdin)).replace(/\r?\n$/, '') : text;
  await accept(cli, { ...defaultsFrom(flags), message, ...recipient, replyTo, clientRef }, flags);
}

async function accept(cli: Cli, input: SendMessageInput, flags: WaitFlags): Promise<void> {
  const message = withClientRef(input);
  let isRepeat = false;
  const onRepeat = () => {
    isRepeat = true;
  };
  const sent = await cli.client.sendMessage(message, { onRepeat }).catch((error: unknown) => {
    if (error instanceof KurirConnectionError && error.mayHaveArrived) {
      cli.say(`It may have been accepted. Repeat it with --client-ref ${message.clientRef} and it is sent only once.`);
    }
    throw error;
  });
  const remark = isRepeat ? 'accepted before, not sent again' : await readRecipient(cli, message, sent.jobId);
  const line = `${cli.paint.green('accepted')}  ${sent.jobId}${remark === null ? '' : `  ${remark}`}`;
  if (!flags.wait) return cli.print(sent, () => [line]);
  cli.say(line);
  await waitForSent(cli, sent.jobId, flags);
}

/**
 * The country of the account decides what a number with a leading zero means, so its sender should see it. Null: the
 * number is complete, or the key may not read messages. The message is accepted in any case.
 */
async function readRecipient(cli: Cli, { phoneDestination }: SendMessageInput, jobId: string): Promise<string | null> {
  if (cli.json || phoneDestination?.startsWith('0') !== true) return null;
  try {
    const { phoneDestination: recipient } = await cli.client.getMessage(jobId);
    return `to ${recipient}`;
  } catch (error) {
    if (error instanceof KurirError || error instanceof KurirConnectionError) return null;
    throw error;
  }
}

async function sendFile(
  begin: Begin,
  own: Command,
  number: string | undefined,
  file: string,
  flags: SendFlags,
): Promise<void> {
  if (number !== undefined) throw new KurirUsageError('--bulk takes numbers and texts from the file.');
  if (flags.conversation !== undefined || flags.replyTo !== undefined) {
    throw new KurirUsageError(
      '--conversation and --reply-to are for one message; a line of the file may have a conversation_id and a reply_to.',
    );
  }
  if (flags.wait || flags.clientRef !== undefined) {
    throw new KurirUsageError('--wait and --client-ref are for one message; a line of the file may have a client_ref.');
  }
  await sendBulk(begin(own), file, { defaults: defaultsFrom(flags), refPrefix: flags.refPrefix });
}
