/** The commands that only read broadcasts. */
import { type Command, Option } from 'commander';
import type { ListRecipientsInput } from '../../contract/call-types.js';
import type { Begin } from '../terminal/cli.js';
import { moreLines } from '../terminal/more-lines.js';
import { broadcastArgument, parseCount } from './arguments.js';
import { broadcastTable, countedLines, recipientTable } from './broadcast-lines.js';
import { watchBroadcast } from './watch-broadcast.js';

const outcomes = [
  'pending',
  'skipped',
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'failed',
  'expired',
  'cancelled',
  'unknown',
] as const satisfies readonly ListRecipientsInput['outcome'][];

type RecipientFlags = Pick<ListRecipientsInput, 'outcome' | 'limit' | 'cursor'>;

export function addLookCommands(broadcast: Command, begin: Begin): void {
  broadcast
    .command('list', { isDefault: true })
    .description('List the broadcasts of the account, newest first.')
    .option('--cursor <cursor>', 'continue an earlier list')
    .action(async (query: { cursor?: string }, own: Command) => {
      const cli = begin(own);
      const page = await cli.client.listBroadcasts(query);
      cli.print(page, () => [...broadcastTable(page.broadcasts, cli), ...moreLines(cli, page.nextCursor)]);
    });
  broadcast
    .command('show')
    .argument(...broadcastArgument)
    .description('Show a broadcast with its counts.')
    .action(async (id: string, _flags: object, own: Command) => {
      const cli = begin(own);
      const counted = await cli.client.getBroadcast(id);
      cli.print(counted, () => countedLines(counted, cli));
    });
  broadcast
    .command('watch')
    .argument(...broadcastArgument)
    .description('Follow a broadcast until it ends. Ctrl+C ends only the command.')
    .addHelpText(
      'after',
      '\nThe exit code is 1 if it was cancelled, or if messages failed. --json prints a line a change.\n',
    )
    .action((id: string, _flags: object, own: Command) => watchBroadcast(begin(own), id));
  addRecipientCommands(broadcast, begin);
}

function addRecipientCommands(broadcast: Command, begin: Begin): void {
  broadcast
    .command('recipients')
    .argument(...broadcastArgument)
    .description('List the recipients in the order of the list, each with one outcome.')
    .addOption(new Option('--outcome <outcome>', 'only those with this outcome').choices(outcomes))
    .option('--limit <count>', 'how many recipients, at most 100', parseCount)
    .option('--cursor <cursor>', 'continue an earlier list')
    .action(async (id: string, query: RecipientFlags, own: Command) => {
      const cli = begin(own);
      const page = await cli.client.listBroadcastRecipients(id, query);
      const more = page.nextCursor === null ? [] : [cli.paint.dim(`More: --cursor ${page.nextCursor}`)];
      cli.print(page, () => [...recipientTable(page.recipients), ...more]);
    });
  broadcast
    .command('results')
    .argument(...broadcastArgument)
    .description('Write the outcome of each recipient to stdout, as CSV or as lines of JSON.')
    .option('--ndjson', 'lines of JSON')
    .addHelpText('after', '\nExample:\n  $ kurir broadcast results brc_01kajp4m3s5y8zt0v6qk2c9hbe > results.csv\n')
    .action(async (id: string, { ndjson }: { ndjson?: true }, own: Command) => {
      const cli = begin(own);
      const format = ndjson || cli.json ? 'ndjson' : 'csv';
      for await (const text of cli.client.exportBroadcastResults(id, { format })) cli.surroundings.stdout.write(text);
    });
}
