import type { Command } from 'commander';
import type { Begin } from '../terminal/cli.js';
import { addWaitOptions, printJob, type WaitFlags, waitAndPrint } from './wait-options.js';

export function addStatusCommand(program: Command, begin: Begin): void {
  const command = program
    .command('status <job_id>')
    .description('Show the status and the timeline of a message.')
    .addHelpText(
      'after',
      '\nExample:\n  $ kurir status msg_01kajp4m3s5y8zt0v6qk2c9hbe --wait --until read --timeout 10m\n',
    )
    .action(async (jobId: string, flags: WaitFlags, own: Command) => {
      const cli = begin(own);
      if (flags.wait) await waitAndPrint(cli, jobId, flags);
      else printJob(cli, await cli.client.getMessage(jobId));
    });
  addWaitOptions(command);
}
