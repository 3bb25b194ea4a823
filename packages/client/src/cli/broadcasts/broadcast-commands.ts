import type { Command } from 'commander';
import type { Begin } from '../terminal/cli.js';
import { addControlCommands } from './control-commands.js';
import { addCreateCommand } from './create-command.js';
import { addLookCommands } from './look-commands.js';

const help = `
From a list to a result:
  $ kurir broadcast create "Promo November" --message "Halo {{nama|Kak}}" --file list.csv
  $ kurir broadcast check brc_…
  $ kurir broadcast test brc_… 6281234567890 --wait
  $ kurir broadcast start brc_… --watch
  $ kurir broadcast results brc_… > results.csv
`;

/** Sends one text to many people. */
export function addBroadcastCommands(program: Command, begin: Begin): void {
  const broadcast = program
    .command('broadcast')
    .description('Send one text to many people, follow it, and take the results.')
    .addHelpText('after', help);
  addCreateCommand(broadcast, begin);
  addControlCommands(broadcast, begin);
  addLookCommands(broadcast, begin);
}
