import type { Command } from 'commander';
import type { Answer, ListRequestsInput } from '../../contract/call-types.js';
import type { Begin, Cli } from '../terminal/cli.js';
import { tableLines } from '../terminal/layout.js';
import { moreLines } from '../terminal/more-lines.js';
import { localTime } from '../terminal/moments.js';
import { parseLimit } from '../terminal/parse-limit.js';

type Flags = {
  key?: string;
  outcome?: string;
  operation?: string;
  code?: string;
  requestId?: string;
  limit?: number;
  cursor?: string;
};

/** Lists the requests of the account's keys. */
export function addRequestsCommand(program: Command, begin: Begin): void {
  program
    .command('requests')
    .description('List what the keys of the account asked the API, newest first.')
    .option('--key <api_key>', 'only requests of this key')
    .option('--outcome <outcome>', 'only 2xx, 4xx, 5xx or aborted')
    .option('--operation <name>', 'only requests of this operation, like sendMessage')
    .option('--code <code>', 'only requests that were refused with this code, like RATE_LIMITED')
    .option('--request-id <id>', 'only the request with this id')
    .option('--limit <count>', 'how many requests, at most 100', parseLimit)
    .option('--cursor <cursor>', 'continue an earlier list')
    .addHelpText('after', '\nExample:\n  $ kurir requests --outcome 4xx\n')
    .action(async ({ key, outcome, code, ...others }: Flags, own: Command) => {
      const cli = begin(own);
      // The gateway refuses an unknown word and names the known ones.
      const page = await cli.client.listRequests({
        ...others,
        apiKey: key,
        outcome: outcome as ListRequestsInput['outcome'],
        code: code as ListRequestsInput['code'],
      });
      cli.print(page, () => [...requestTable(page.requests, cli), ...moreLines(cli, page.nextCursor)]);
    });
}

function requestTable(requests: Answer<'listRequests'>['requests'], { paint }: Cli): string[] {
  if (requests.length === 0) return ['No requests.'];
  const rows = requests.map((row) => [
    localTime(row.at),
    row.notRecorded > 0 ? '' : String(row.status ?? 'aborted'),
    row.notRecorded > 0 ? `${row.notRecorded} more, only counted` : (row.operation ?? ''),
    row.code ?? '',
    row.durationMs === null ? '' : `${row.durationMs} ms`,
    row.keyName ?? row.apiKey,
    row.address ?? '',
    row.notRecorded > 0 ? '' : row.requestId,
  ]);
  const statusPaint = (status: string) => {
    if (status.startsWith('2')) return paint.green;
    return status.startsWith('5') ? paint.red : paint.yellow;
  };
  return tableLines(rows, (cell, column, row) =>
    column === 1 ? statusPaint(rows[row]?.[1] ?? '')(cell) : column === 0 ? paint.dim(cell) : cell,
  );
}
