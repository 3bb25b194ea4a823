import type { Command } from 'commander';
import type { Answer, AuditFilter } from '../../contract/call-types.js';
import type { Begin, Cli } from '../terminal/cli.js';
import { tableLines } from '../terminal/layout.js';
import { moreLines } from '../terminal/more-lines.js';
import { localTime } from '../terminal/moments.js';
import { parseLimit } from '../terminal/parse-limit.js';
import { parsePast } from '../terminal/parse-time.js';

type FilterFlags = { group?: string; actor?: string; subject?: string; since?: Date; until?: Date };

const withFilter = (command: Command): Command =>
  command
    .option('--group <group>', 'only actions of this part, like keys, devices or members')
    .option('--actor <id>', 'only actions of this person or key')
    .option('--subject <id>', 'only actions on the thing with this id')
    .option('--since <time>', 'only actions at this time or later; 2h means two hours ago', parsePast)
    .option('--until <time>', 'only actions before this time', parsePast);

// The gateway refuses an unknown group and names the known ones.
const queryOf = ({ group, ...others }: FilterFlags): AuditFilter => ({
  ...others,
  group: group as AuditFilter['group'],
});

/** Reads the audit log, and exports it. */
export function addAuditCommands(program: Command, begin: Begin): void {
  const audit = program.command('audit').description('Read who did what to the account.');
  withFilter(audit.command('list', { isDefault: true }))
    .description('List the entries of the audit log, newest first.')
    .option('--limit <count>', 'how many entries, at most 100', parseLimit)
    .option('--cursor <cursor>', 'continue an earlier list')
    .addHelpText('after', '\nExample:\n  $ kurir audit --group keys --since 7d\n')
    .action(async (flags: FilterFlags & { limit?: number; cursor?: string }, own: Command) => {
      const cli = begin(own);
      const { limit, cursor, ...filter } = flags;
      const page = await cli.client.listAudit({ ...queryOf(filter), limit, cursor });
      cli.print(page, () => [...entryTable(page.entries, cli), ...moreLines(cli, page.nextCursor)]);
    });
  withFilter(audit.command('export'))
    .description('Write the entries to stdout as CSV.')
    .option('--time-zone <zone>', 'the time zone of the times, like Asia/Jakarta; otherwise UTC')
    .addHelpText('after', '\nExample:\n  $ kurir audit export --since 30d --time-zone Asia/Jakarta > audit.csv\n')
    .action(async ({ timeZone, ...filter }: FilterFlags & { timeZone?: string }, own: Command) => {
      const cli = begin(own);
      for await (const text of cli.client.exportAudit({ ...queryOf(filter), timeZone }))
        cli.surroundings.stdout.write(text);
    });
}

/** A person and a key may have one name. */
const nameOf = ({ id, name }: { id: string; name: string | null }): string =>
  name === null ? id : id.startsWith('kk_') ? `key ${name}` : name;

function entryTable(entries: Answer<'listAudit'>['entries'], { paint }: Cli): string[] {
  if (entries.length === 0) return ['No entries.'];
  const rows = entries.map(({ at, actor, action, subject, subjectName, numberEnds, address }) => [
    localTime(at),
    nameOf(actor),
    action,
    [subject ?? '', subjectName ? `(${subjectName})` : '', numberEnds === null ? '' : `…${numberEnds}`]
      .filter((part) => part !== '')
      .join(' '),
    address ?? '',
  ]);
  return tableLines(rows, (cell, column) => (column === 0 || column === 4 ? paint.dim(cell) : cell));
}
