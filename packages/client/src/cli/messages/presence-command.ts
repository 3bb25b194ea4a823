import { Argument, type Command } from 'commander';
import type { Begin } from '../terminal/cli.js';
import { parseNumber } from '../terminal/parse-time.js';

const recipientOf = (text: string) =>
  text.startsWith('cnv_') ? { conversationId: text } : { phoneDestination: parseNumber(text) };

export function addPresenceCommand(program: Command, begin: Begin): void {
  program
    .command('presence')
    .argument('<recipient>', 'the phone number (digits with country code), or the id of a conversation')
    .addArgument(new Argument('<action>', 'start or stop the typing signal').choices(['start', 'stop']))
    .description('Start or stop the typing signal.')
    .action(async (recipient: string, action: 'start' | 'stop', _flags: object, own: Command) => {
      const cli = begin(own);
      const shown = await cli.client.chatPresence({ action, ...recipientOf(recipient) });
      cli.print(shown, () => [action === 'start' ? 'typing' : 'no longer typing']);
    });
}
