import { type Command, InvalidArgumentError } from 'commander';
import type { Answer, KurirEvent } from '../contract/call-types.js';
import { toSnakeCase } from '../contract/wire-case.js';
import { type Begin, type Cli, deviceOf } from './terminal/cli.js';
import { harmless } from './terminal/layout.js';
import { localTime } from './terminal/moments.js';

type EventsFlags = { follow?: boolean; after?: string; types?: KurirEvent['type'][]; limit?: number };

function parseLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 1000) throw new InvalidArgumentError('Give a number from 1 to 1000.');
  return limit;
}

export const parseTypes = (text: string) => text.split(',') as KurirEvent['type'][];

export function addEventsCommand(program: Command, begin: Begin): void {
  program
    .command('events')
    .description('Show what happened to messages and devices. --device limits the events to one device.')
    .option('--follow', 'stay, and show each event when it happens')
    .option('--after <cursor>', 'continue after this cursor; default: the oldest event, or now with --follow')
    .option(
      '--types <list>',
      'only these types, with commas between, like message.delivered,message.failed',
      parseTypes,
    )
    .option('--limit <count>', 'how many events without --follow, at most 1000', parseLimit)
    .addHelpText(
      'after',
      '\nWith --follow and --json, each event is one line of JSON.\n\nExample:\n  $ kurir events --follow --types message.delivered,message.failed\n',
    )
    .action(async (flags: EventsFlags, own: Command) => {
      const cli = begin(own);
      const deviceId = deviceOf(own);
      const { types, after } = flags;
      if (flags.follow === true) return follow(cli, { types, after, deviceId });
      const page = await cli.client.listEvents({ types, after: after ?? 'earliest', deviceId, limit: flags.limit });
      cli.print(page, () => pageLines(page, cli));
    });
}

async function follow(cli: Cli, input: Parameters<Cli['client']['events']>[0]): Promise<void> {
  cli.say(cli.paint.dim('Waiting for events. Ctrl+C ends this.'));
  for await (const event of cli.client.events(input)) write(cli, event);
}

function pageLines(page: Answer<'listEvents'>, { paint }: Cli): string[] {
  const lines = page.events.map((event) => lineOf(event, paint));
  const next = paint.dim(`${page.hasMore ? 'More' : 'Later'}: kurir events --after ${page.nextCursor}`);
  return [...(lines.length === 0 ? ['No events.'] : lines), next];
}

function write({ surroundings, json, paint }: Cli, event: KurirEvent): void {
  const text = json ? JSON.stringify(toSnakeCase(event)) : lineOf(event, paint);
  surroundings.stdout.write(`${text}\n`);
}

type InboundData = Exclude<Extract<KurirEvent['data'], { networkMessageId: unknown }>, { jobId: unknown }>;

function inboundDetails(data: InboundData): (string | null)[] {
  const person = 'from' in data ? data.from : data.to;
  const content = 'type' in data ? (data.text ?? data.type) : null;
  return [person?.name ?? null, person?.phone ?? person?.userId ?? null, content, 'emoji' in data ? data.emoji : null];
}

function detailsOf({ data }: KurirEvent): (string | null)[] {
  if ('jobId' in data) return [data.phoneDestination, data.clientRef, data.reason];
  if ('usedPercent' in data)
    return [data.usedPercent === null ? `${data.daysLeft} days left` : `${data.usedPercent} % used`, data.endsAt];
  if ('networkMessageId' in data) return inboundDetails(data);
  if ('userId' in data) return [data.phone, data.userId];
  if ('renewalId' in data) return [data.plan];
  return 'state' in data ? [data.state, data.reason] : [data.reason];
}

function lineOf(event: KurirEvent, paint: Cli['paint']): string {
  const rest = detailsOf(event)
    .filter((part) => part !== null)
    .join('  ');
  return `${paint.dim(localTime(event.createdAt))}  ${paint.cyan(event.type.padEnd(21))}  ${harmless(event.subject.id)}  ${harmless(rest)}`.trimEnd();
}
