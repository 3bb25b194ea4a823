import type { Command } from 'commander';
import type { Begin } from './cli.js';

export function addCancelCommand(program: Command, begin: Begin): void {
  program
    .command('cancel <job_id>')
    .description('Cancel a message that is not being sent yet.')
    .action(async (jobId: string, _flags: object, own: Command) => {
      const cli = begin(own);
      const cancelled = await cli.client.cancelMessage(jobId);
      cli.print(cancelled, () => [`${cli.paint.green('cancelled')}  ${cancelled.jobId}`]);
    });
}
