import { type Command, InvalidArgumentError } from 'commander';
import type { ListedJob, ListMessagesInput } from '../../contract/call-types.js';
import type { Begin, Cli, GlobalOptions } from '../terminal/cli.js';
import { paintStatus } from './job-lines.js';
import { tableLines } from '../terminal/layout.js';
import { fromNow } from '../terminal/moments.js';
import { parseNumber, parsePast } from '../terminal/parse-time.js';

type ListFlags = {
  status?: string;
  to?: string;
  clientRef?: string;
  since?: Date;
  until?: Date;
  updatedSince?: Date;
  limit?: number;
  cursor?: string;
};

function parseLimit(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('Give a number from 1 to 100.');
  return Number(text);
}

export function addListCommand(program: Command, begin: Begin): void {
  program
    .command('list')
    .description('List messages, newest first. --device limits them to one device.')
    .option('--status <status>', 'only messages of this status, like queued, delivered or failed')
    .option('--to <number>', 'only messages to this number', parseNumber)
    .option('--client-ref <text>', 'only the message with this client_ref')
    .option('--since <time>', 'only messages accepted at this time or later; 2h means two hours ago', parsePast)
    .option('--until <time>', 'only messages accepted before this time', parsePast)
    .option('--updated-since <time>', 'only messages that changed at this time or later', parsePast)
    .option('--limit <count>', 'how many messages, at most 100', parseLimit)
    .option('--cursor <cursor>', 'continue an earlier list')
    .addHelpText('after', '\nExample:\n  $ kurir list --status failed --limit 20\n')
    .action(async (flags: ListFlags, own: Command) => {
      const cli = begin(own);
      const { device } = own.optsWithGlobals<GlobalOptions>();
      const { to, status, ...others } = flags;
      // The gateway refuses an unknown status and names the known ones.
      const query = {
        ...others,
        status: status as ListMessagesInput['status'],
        phoneDestination: to,
        deviceId: device,
      };
      const page = await cli.client.listMessages(query);
      cli.print(page, () => [...jobTable(page.messages, cli), ...moreLine(page.nextCursor, cli)]);
    });
}

function jobTable(jobs: readonly ListedJob[], { paint, clock }: Cli): string[] {
  if (jobs.length === 0) return ['No messages.'];
  const rows = jobs.map((job) => [
    job.jobId,
    job.status,
    job.phoneDestination,
    job.priority,
    fromNow(job.createdAt, clock.now()),
    job.clientRef ?? '',
  ]);
  return tableLines(rows, (cell, column, row) => {
    const job = jobs[row];
    return column === 1 && job !== undefined ? paintStatus(job.status, paint)(cell) : cell;
  });
}

function moreLine(nextCursor: string | null, { paint }: Cli): string[] {
  return nextCursor === null ? [] : [paint.dim(`More: kurir list --cursor ${nextCursor}`)];
}
