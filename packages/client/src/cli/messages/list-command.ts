import type { Command } from 'commander';
import type { ListedJob, ListMessagesInput } from '../../contract/call-types.js';
import { type Begin, type Cli, deviceOf } from '../terminal/cli.js';
import { paintStatus } from './job-lines.js';
import { tableLines } from '../terminal/layout.js';
import { moreLines } from '../terminal/more-lines.js';
import { fromNow } from '../terminal/moments.js';
import { parseLimit } from '../terminal/parse-limit.js';
import { parseNumber, parsePast } from '../terminal/parse-time.js';

type ListFlags = {
  search?: string;
  status?: string;
  reason?: string;
  priority?: string;
  key?: string;
  to?: string;
  clientRef?: string;
  broadcast?: string;
  since?: Date;
  until?: Date;
  updatedSince?: Date;
  limit?: number;
  cursor?: string;
};

export function addListCommand(program: Command, begin: Begin): void {
  program
    .command('list')
    .description('List messages, newest first. --device limits them to one device.')
    .option('--search <text>', 'a part of a number, a client_ref or the name of a broadcast')
    .option('--status <status>', 'only messages of this status, like queued, delivered or failed')
    .option('--reason <reason>', 'only messages with this reason, like recipient_not_on_network')
    .option('--priority <priority>', 'only messages of this priority: otp, normal or bulk')
    .option('--key <api_key>', 'only messages that this key sent')
    .option('--to <number>', 'only messages to this number', parseNumber)
    .option('--client-ref <text>', 'only the message with this client_ref')
    .option('--broadcast <broadcast_id>', 'only messages of this broadcast')
    .option('--since <time>', 'only messages accepted at this time or later; 2h means two hours ago', parsePast)
    .option('--until <time>', 'only messages accepted before this time', parsePast)
    .option('--updated-since <time>', 'only messages that changed at this time or later', parsePast)
    .option('--limit <count>', 'how many messages, at most 100', parseLimit)
    .option('--cursor <cursor>', 'continue an earlier list')
    .addHelpText('after', '\nExample:\n  $ kurir list --status failed --limit 20\n')
    .action(async (flags: ListFlags, own: Command) => {
      const cli = begin(own);
      const device = deviceOf(own);
      const { to, status, reason, priority, broadcast, key, search, ...others } = flags;
      // The gateway refuses an unknown word and names the known ones.
      const query = {
        ...others,
        q: search,
        status: status as ListMessagesInput['status'],
        reason: reason as ListMessagesInput['reason'],
        priority: priority as ListMessagesInput['priority'],
        apiKey: key,
        phoneDestination: to,
        deviceId: device,
        broadcastId: broadcast,
      };
      const page = await cli.client.listMessages(query);
      cli.print(page, () => [...jobTable(page.messages, cli), ...moreLines(cli, page.nextCursor)]);
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
    job.reason ?? '',
  ]);
  return tableLines(rows, (cell, column, row) => {
    const job = jobs[row];
    return column === 1 && job !== undefined ? paintStatus(job.status, paint)(cell) : cell;
  });
}
