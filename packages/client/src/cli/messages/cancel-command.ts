import { type Command, Option } from 'commander';
import type { CancelMessagesInput } from '../../contract/call-types.js';
import { type Begin, type Cli, deviceOf } from '../terminal/cli.js';
import { parseNumber, parsePast } from '../terminal/parse-time.js';

type Filter = CancelMessagesInput['filter'];
type CancelFlags = {
  to?: string;
  clientRef?: string;
  priority?: Filter['priority'];
  broadcast?: string;
  since?: Date;
  until?: Date;
};

export function addCancelCommand(program: Command, begin: Begin): void {
  program
    .command('cancel [job_id]')
    .description(
      'Cancel a message that is not yet being sent, or all waiting messages that match. --device limits them to one device.',
    )
    .option('--to <number>', 'waiting messages to this number', parseNumber)
    .option('--client-ref <text>', 'the waiting message with this client_ref')
    .addOption(
      new Option('--priority <priority>', 'waiting messages of this priority').choices(['otp', 'normal', 'bulk']),
    )
    .option('--broadcast <broadcast_id>', 'waiting messages of this broadcast')
    .option('--since <time>', 'messages accepted at this time or later; 2h means two hours ago', parsePast)
    .option('--until <time>', 'messages accepted before this time', parsePast)
    .addHelpText(
      'after',
      '\nExamples:\n  $ kurir cancel msg_01kajp4m3s5y8zt0v6qk2c9hbe\n  $ kurir cancel --priority bulk --since 2h\n',
    )
    .action(async (jobId: string | undefined, flags: CancelFlags, own: Command) => {
      const device = deviceOf(own);
      const isFiltered = Object.keys(flags).length > 0;
      if (jobId !== undefined && isFiltered) own.error('error: give a job_id or filters, not both');
      if (jobId !== undefined) return cancelOne(begin(own), jobId);
      if (!isFiltered)
        own.error(
          'error: give a job_id, or say which: --to, --client-ref, --priority, --broadcast, --since or --until',
        );
      const { to, broadcast, ...others } = flags;
      await cancelAll(begin(own), { ...others, phoneDestination: to, deviceId: device, broadcastId: broadcast });
    });
}

async function cancelOne(cli: Cli, jobId: string): Promise<void> {
  const cancelled = await cli.client.cancelMessage(jobId);
  cli.print(cancelled, () => [`${cli.paint.green('cancelled')}  ${cancelled.jobId}`]);
}

/** Repeats the call until no message is left, because one call cancels a limited number. */
async function cancelAll(cli: Cli, filter: Filter): Promise<void> {
  let cancelled = 0;
  for (let hasMore = true; hasMore; ) {
    const answer = await cli.client.cancelMessages({ filter });
    cancelled += answer.cancelled;
    hasMore = answer.hasMore;
    if (hasMore) cli.say(`${cancelled} cancelled, going on …`);
  }
  cli.print({ cancelled }, () => [`${cli.paint.green('cancelled')}  ${cancelled}`]);
}
