/**
 * `kurir broadcast create`: makes a draft. Rows go up in parts; each says how many came before it, so a part that arrives
 * twice is one part. Nothing goes out before the start, so a list that breaks off harms nobody.
 */
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { messageCategories } from '@kurir/contracts';
import { type Command, Option } from 'commander';
import { KurirUsageError } from '../../calls/errors.js';
import type { Broadcast, CreateBroadcastInput } from '../../contract/call-types.js';
import { type Begin, type Cli, devicesOf } from '../terminal/cli.js';
import { exitCodes } from '../terminal/exit-codes.js';
import { parseMoment } from '../terminal/parse-time.js';
import { showBar } from '../terminal/progress.js';
import { addWindowOptions, parseCount, type WindowFlag, windowOf } from './arguments.js';
import { addAudienceOptions, type AudienceFlags, audienceOf, checkAudience } from './audience-options.js';
import { problemLines, stateLine } from './broadcast-lines.js';
import { readRows } from './row-lines.js';

type Flags = AudienceFlags &
  WindowFlag & {
    message?: string;
    template?: string;
    footer?: string;
    sendAt?: Date;
    pace?: number;
    wait: boolean;
    category?: CreateBroadcastInput['category'];
  };

const help = `
--rows reads a line for each recipient, a number or a JSON object:
  6281234567890
  {"phone": "6281234567891", "values": {"nama": "Siti"}}

Without --map, the gateway guesses the column with phone numbers, and each other column is a value under its own name.

Examples:
  $ kurir broadcast create "Promo" --message "Halo {{nama|Kak}}" --file list.csv --map phone=HP,nama=Nama
  $ kurir broadcast create "Promo" --template tpl_… --contacts-list promo --device dev_… --device dev_…
`;

function textOf({ message, template, footer }: Flags): Pick<CreateBroadcastInput, 'message' | 'templateId' | 'footer'> {
  if ((message === undefined) === (template === undefined)) throw new KurirUsageError('Give --message or --template.');
  if (template === undefined) return { message, footer };
  if (footer !== undefined) throw new KurirUsageError('A template has its own footer. Leave --footer out.');
  return { templateId: template };
}

/** Those of --device, or that of the settings. */
function deviceIdsOf(cli: Cli, given: readonly string[]): string[] {
  if (given.length > 0) return [...given];
  if (cli.settings.deviceId === null) throw new KurirUsageError('Name a device with --device, or set KURIR_DEVICE_ID.');
  return [cli.settings.deviceId];
}

async function* open({ surroundings }: Cli, file: string): AsyncGenerator<Uint8Array | string> {
  if (file === '-') return yield* surroundings.stdin;
  try {
    for await (const piece of createReadStream(resolve(surroundings.folder, file))) yield piece as Buffer;
  } catch (cause) {
    throw new KurirUsageError(`${file} cannot be read.`, { cause });
  }
}

/** The first part goes with the broadcast. So a file that cannot be read makes no draft. */
async function createWithRows(cli: Cli, input: CreateBroadcastInput, file: string): Promise<Broadcast> {
  const parts = readRows(open(cli, file));
  const first = await parts.next();
  if (first.done === true) throw new KurirUsageError('There is no recipient in it.');
  const made = await cli.client.createBroadcast({ ...input, audience: { rows: first.value } });
  const { broadcastId } = made;
  let count = first.value.length;
  try {
    for await (const rows of parts) {
      const added = await cli.client.addBroadcastRecipients(broadcastId, { after: count, rows });
      count = added.recipients;
    }
  } catch (error) {
    cli.say(`${broadcastId} has only ${count.toLocaleString('en')} recipients. Nothing goes out before you start it.`);
    throw error;
  }
  return { ...made, recipients: count };
}

const lookEveryMs = 1_000;

/** A worker reads a file and contacts. */
async function follow(cli: Cli, made: Broadcast): Promise<Broadcast> {
  for (let now = made; ; now = (await cli.client.getBroadcast(made.broadcastId)).broadcast) {
    const isRead = now.state !== 'checking';
    showBar(
      cli,
      isRead ? 1 : Math.min(now.plannedShare ?? 0, 0.99),
      `${now.recipients.toLocaleString('en')} recipients`,
    );
    if (isRead) return now;
    await cli.clock.sleep(lookEveryMs);
  }
}

async function create(cli: Cli, input: CreateBroadcastInput, flags: Flags): Promise<Broadcast> {
  if (flags.rows !== undefined) return createWithRows(cli, input, flags.rows);
  const audience = await audienceOf(cli, flags);
  const made = await cli.client.createBroadcast({ ...input, audience });
  return audience === undefined || !flags.wait ? made : follow(cli, made);
}

function tell(cli: Cli, made: Broadcast): void {
  const isCancelled = made.state === 'cancelled';
  cli.print(made, () => [
    stateLine(made, cli),
    `${made.recipients.toLocaleString('en')} recipients`,
    ...problemLines(made),
    ...(isCancelled ? [] : [cli.paint.dim(`Check it: kurir broadcast check ${made.broadcastId}`)]),
  ]);
  if (isCancelled) cli.exitWith(exitCodes.refused);
}

export function addCreateCommand(broadcast: Command, begin: Begin): void {
  const command = broadcast
    .command('create')
    .argument('<name>', 'the name')
    .description('Create a draft with a text and a list. Nothing goes out until you start it.')
    .option('--message <text>', 'the text, such as "Halo {{nama|Kak}}"')
    .option('--template <id>', 'the text of this template, tpl_…')
    .option('--footer <line>', 'a line after the text, such as "Balas STOP untuk berhenti"');
  addWindowOptions(addAudienceOptions(command))
    .option('--no-wait', 'do not wait until the gateway has read the file or the contacts')
    .option(
      '--send-at <time>',
      'once started, wait for this: a date and a time, or a time from now, like 10m',
      (text) => parseMoment(text),
    )
    .option('--pace <count>', 'at most this many messages a minute, over all devices', parseCount)
    .addOption(new Option('--category <category>', 'the purpose; default: marketing').choices(messageCategories))
    .addHelpText('after', help)
    .action(async (name: string, flags: Flags, own: Command) => {
      const text = textOf(flags);
      checkAudience(flags);
      const cli = begin(own);
      const { sendAt, pace: pacePerMinute, category } = flags;
      const deviceIds = deviceIdsOf(cli, devicesOf(own));
      tell(
        cli,
        await create(cli, { name, ...text, deviceIds, sendAt, pacePerMinute, category, ...windowOf(flags) }, flags),
      );
    });
}
