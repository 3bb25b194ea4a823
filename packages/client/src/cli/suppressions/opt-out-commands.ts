import type { Command } from 'commander';
import type { OptOut } from '../../contract/call-types.js';
import { KurirUsageError } from '../../calls/errors.js';
import type { Begin } from '../terminal/cli.js';
import { fieldLines } from '../terminal/layout.js';

type Flags = { stopWords?: string[]; startWords?: string[]; stopReply?: string | false; startReply?: string | false };

const examples = `
Examples:
  $ kurir opt-out set --stop-words STOP,BERHENTI,"STOP PROMO" --stop-reply "Anda tidak akan menerima promosi lagi."
  $ kurir opt-out set --no-start-reply
`;

const wordsOf = (text: string): string[] => text.split(',').map((word) => word.trim());

/** The words by which people opt out and in again, and the replies. */
export function addOptOutCommands(program: Command, begin: Begin): void {
  const command = program.command('opt-out').description('Show and change the words by which people opt out.');
  command
    .command('show', { isDefault: true })
    .description('Show the words and the replies.')
    .action(async (_flags: object, own: Command) => {
      const cli = begin(own);
      const optOut = await cli.client.getOptOut();
      cli.print(optOut, () => lines(optOut, cli.paint.dim));
    });
  command
    .command('set')
    .description('Change words and replies. What you do not name stays as it is.')
    .option('--stop-words <words>', 'words that opt out, separated by commas', wordsOf)
    .option('--start-words <words>', 'words that opt in again', wordsOf)
    .option('--stop-reply <text>', 'the reply to a person who opted out')
    .option('--no-stop-reply', 'no reply to a person who opted out')
    .option('--start-reply <text>', 'the reply to a person who opted in again')
    .option('--no-start-reply', 'no reply to a person who opted in again')
    .addHelpText('after', examples)
    .action(async (flags: Flags, own: Command) => {
      const cli = begin(own);
      const changes = changesOf(flags);
      if (Object.keys(changes).length === 0) throw new KurirUsageError('Name something to change.');
      const optOut = await cli.client.setOptOut({ ...(await cli.client.getOptOut()), ...changes });
      cli.print(optOut, () => lines(optOut, cli.paint.dim));
    });
}

/** False is a reply that the person switched off. */
function changesOf({ stopWords, startWords, stopReply, startReply }: Flags): Partial<OptOut> {
  return {
    ...(stopWords === undefined ? {} : { stopWords }),
    ...(startWords === undefined ? {} : { startWords }),
    ...(stopReply === undefined ? {} : { stopReply: stopReply === false ? null : stopReply }),
    ...(startReply === undefined ? {} : { startReply: startReply === false ? null : startReply }),
  };
}

const lines = ({ stopWords, startWords, stopReply, startReply }: OptOut, dim: (text: string) => string): string[] =>
  fieldLines(
    [
      ['opt out by', stopWords.join(', ')],
      ['reply', stopReply === null ? 'none' : oneLine(stopReply)],
      ['opt in by', startWords.join(', ')],
      ['reply', startReply === null ? 'none' : oneLine(startReply)],
    ],
    dim,
  );

const oneLine = (text: string): string => text.replaceAll('\n', ' ⏎ ');
