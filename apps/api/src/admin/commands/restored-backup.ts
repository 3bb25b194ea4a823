/** Runs `service restored`, which makes a restored database fit for its programs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, readWorkers } from '@kurir/database';
import { settleRestored } from '@kurir/database/restore';
import type { Command } from 'commander';
import { CommandError } from '../terminal/command-error.js';
import type { Admin, OutputOptions, Run } from '../terminal/run-command.js';
import type { Output } from '../terminal/show-rows.js';

const pauseMs = 500;

async function readAlive(database: Database): Promise<Map<string, number>> {
  const { workers } = await readWorkers(database);
  return new Map(workers.filter(({ alive }) => alive).map(({ id, expiresAt }) => [id, expiresAt.getTime()]));
}

/** A restored row of a worker may still look alive. A worker that lives moves its end on. */
async function refuseWorkers(database: Database): Promise<void> {
  const first = await readAlive(database);
  for (let alive = first; alive.size > 0; alive = await readAlive(database)) {
    const living = [...alive].filter(([id, expiresAt]) => expiresAt !== first.get(id)).map(([id]) => id);
    if (living.length > 0)
      throw new CommandError(
        `Workers use this database: ${living.join(', ')}. Stop them and the apis, and run the command again.`,
      );
    await sleep(pauseMs);
  }
}

async function settle({ database, say }: Admin): Promise<Output> {
  await refuseWorkers(database);
  const { unknown, sentAgain, broadcastsPaused, devicesWithNewKeys } = await settleRestored(database, 'admin');
  say('Readers of events learn that events may be missing. Start the apis and the workers now.');
  return [
    { what: 'messages that were being sent, now unknown', count: unknown },
    { what: 'messages that waited, and go out again under their old id', count: sentAgain },
    { what: 'broadcasts that wait until somebody resumes them', count: broadcastsPaused },
    { what: 'devices that make new keys before they connect', count: devicesWithNewKeys },
  ];
}

export function addRestoredCommand(service: Command, run: Run): void {
  service
    .command('restored')
    .description('for use after a backup was restored, before the apis and the workers start')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) => run(options, settle));
}
