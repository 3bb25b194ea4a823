import { noteRestore } from '@kurir/database';
import type { Command } from 'commander';
import type { Admin, OutputOptions, Run } from '../terminal/run-command.js';
import type { Output } from '../terminal/show-rows.js';

async function noteRestored({ database }: Admin): Promise<Output> {
  await noteRestore(database, { accountId: null, actor: 'admin', action: 'events.restored' });
  return { restored: true };
}

export function addEventCommands(program: Command, run: Run): void {
  const events = program.command('events').description('the log of events');
  events
    .command('restored')
    .description(
      'for use after a backup was restored into the same Postgres: readers of events then begin again. Kurir notices a backup in another Postgres by itself',
    )
    .option('--json', 'print JSON')
    .action((options: OutputOptions) => run(options, (admin) => noteRestored(admin)));
}
