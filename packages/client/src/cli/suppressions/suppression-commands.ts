import { type Command, Option } from 'commander';
import type { Suppression } from '../../contract/call-types.js';
import type { Begin, Cli } from '../terminal/cli.js';
import { tableLines } from '../terminal/layout.js';
import { moreLines } from '../terminal/more-lines.js';
import { fromNow } from '../terminal/moments.js';
import { parseNumber } from '../terminal/parse-time.js';
import { exportSuppressions } from './export-suppressions.js';
import { importSuppressions } from './import-suppressions.js';

type Scope = Suppression['scope'];
type GivenReason = Exclude<Suppression['reason'], 'keyword'>;

const scopeOption = (text: string) => new Option('--scope <scope>', text).choices(['marketing', 'all']);
const reasonOption = () => new Option('--reason <reason>', 'why').choices(['manual', 'complaint', 'import', 'bounced']);
const kindOfRefusal = 'marketing: no marketing; all: nothing at all';

/** Numbers as people write them, and ids of people who hide theirs. */
const parsePerson = (text: string): string => (text.includes(':') ? text : parseNumber(text));

/** People who get no marketing, or nothing. */
export function addSuppressionCommands(program: Command, begin: Begin): void {
  const command = program.command('suppressions').description('Show and change who gets no marketing, or nothing.');
  addListCommand(command, begin);
  addChangeCommands(command, begin);
  addFileCommands(command, begin);
}

function addListCommand(command: Command, begin: Begin): void {
  command
    .command('list', { isDefault: true })
    .description('List suppressions, newest first.')
    .option('--phone <number>', 'only this number; it finds an erased one, too', parseNumber)
    .addOption(scopeOption('only this scope'))
    .option('--cursor <cursor>', 'continue an earlier list')
    .action(async (flags: { phone?: string; scope?: Scope; cursor?: string }, own: Command) => {
      const cli = begin(own);
      const page = await cli.client.listSuppressions(flags);
      cli.print(page, () => [...table(page.suppressions, cli), ...moreLines(cli, page.nextCursor)]);
    });
}

function addChangeCommands(command: Command, begin: Begin): void {
  command
    .command('add')
    .argument('<number>', 'the phone number: digits with country code')
    .description('Suppress a person, and cancel what waits for the person.')
    .addOption(scopeOption(kindOfRefusal).default('marketing'))
    .addOption(reasonOption().default('manual'))
    .action(async (number: string, flags: { scope: Scope; reason: GivenReason }, own: Command) => {
      const cli = begin(own);
      const done = await cli.client.addSuppressions({ phone: parseNumber(number), ...flags });
      const added = done.added > 0 ? cli.paint.green('suppressed') : 'suppressed before';
      cli.print(done, () => [`${added}, ${cancelled(done.cancelled)}`]);
    });
  command
    .command('remove')
    .argument('<number>', 'the phone number, or the id that the list shows for a person who hides it')
    .description('Let messages to a person through again.')
    .addOption(scopeOption('only this scope; without it, both'))
    .action(async (number: string, flags: { scope?: Scope }, own: Command) => {
      const cli = begin(own);
      const done = await cli.client.removeSuppression(parsePerson(number), flags);
      cli.print(done, () => [done.removed ? 'removed' : 'This person was not suppressed.']);
    });
}

function addFileCommands(command: Command, begin: Begin): void {
  command
    .command('import')
    .argument('<file>', 'one number a line, or a CSV whose first column has the numbers; - reads standard input')
    .description('Suppress all numbers of a file. A second run adds nothing twice.')
    .addOption(scopeOption(kindOfRefusal).default('marketing'))
    .addOption(reasonOption().default('import'))
    .action((file: string, flags: { scope: Scope; reason: GivenReason }, own: Command) =>
      importSuppressions(begin(own), file, flags),
    );
  command
    .command('export')
    .description('Write all suppressions as CSV to standard output.')
    .addOption(scopeOption('only this scope'))
    .action((flags: { scope?: Scope }, own: Command) => exportSuppressions(begin(own), flags));
}

export const cancelled = (count: number): string =>
  `${count} waiting ${count === 1 ? 'message' : 'messages'} cancelled`;

function table(suppressions: readonly Suppression[], { clock }: Cli): string[] {
  if (suppressions.length === 0) return ['Nobody is suppressed.'];
  return tableLines(
    suppressions.map(({ phone, userId, scope, reason, createdAt }) => [
      phone ?? userId ?? '(erased)',
      scope,
      reason,
      fromNow(createdAt, clock.now()),
    ]),
    (cell) => cell,
  );
}
