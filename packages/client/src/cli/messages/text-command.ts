import type { Command } from 'commander';
import type { Answer } from '../../contract/call-types.js';
import type { Begin } from '../terminal/cli.js';
import { harmless } from '../terminal/layout.js';

const reasons: Record<NonNullable<Answer<'readMessageText'>['withheld']>, string> = {
  one_time_code: 'The text of a one-time code is never shown.',
  erased: 'The text of this message is no longer stored.',
};

export function addTextCommand(program: Command, begin: Begin): void {
  program
    .command('text <job_id>')
    .description('Read the text of a message. The audit log of the account records it.')
    .addHelpText('after', '\nExample:\n  $ kurir text msg_01kajp4m3s5y8zt0v6qk2c9hbe\n')
    .action(async (jobId: string, _flags: object, own: Command) => {
      const cli = begin(own);
      const found = await cli.client.readMessageText(jobId);
      const shown = found.withheld === null ? (found.text ?? '') : reasons[found.withheld];
      cli.print(found, () => shown.split('\n').map(harmless));
    });
}
