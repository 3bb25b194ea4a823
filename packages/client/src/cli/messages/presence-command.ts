import { Argument, type Command } from 'commander';
import type { Begin } from '../terminal/cli.js';
import { parseNumber } from '../terminal/parse-time.js';

export function addPresenceCommand(program: Command, begin: Begin): void {
  program
    .command('presence')
    .argument('<number>', 'the phone number: digits with country code', parseNumber)
    .addArgument(new Argument('<action>', 'start or stop the typing signal').choices(['start', 'stop']))
    .description('Start or stop the typing signal.')
    .action(async (phoneDestination: string, action: 'start' | 'stop', _flags: object, own: Command) => {
      const cli = begin(own);
      const shown = await cli.client.chatPresence({ action, phoneDestination });
      cli.print(shown, () => [action === 'start' ? 'typing' : 'no longer typing']);
    });
}
