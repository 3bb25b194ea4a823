import type { Command } from 'commander';
import type { Answer } from '../contract/call-types.js';
import { type Begin, type Cli, deviceOf } from './terminal/cli.js';
import { harmless, tableLines } from './terminal/layout.js';
import { moreLines } from './terminal/more-lines.js';
import { fromNow } from './terminal/moments.js';
import { parseNumber } from './terminal/parse-time.js';

type Conversation = Answer<'getConversation'>;
type ChatMessage = Answer<'listConversationMessages'>['messages'][number];

/** Reads conversations, and marks them as read. */
export function addConversationCommands(program: Command, begin: Begin): void {
  const command = program.command('conversations').description('Read the conversations of your devices.');
  command
    .command('list', { isDefault: true })
    .description('List conversations. --device limits them to one device.')
    .option('--phone <number>', 'only those with this phone number: digits with country code', parseNumber)
    .option('--unread', 'only those with unread messages')
    .option('--cursor <cursor>', 'continue an earlier list')
    .action(async (flags: { phone?: string; unread?: boolean; cursor?: string }, own: Command) => {
      const cli = begin(own);
      const device = deviceOf(own);
      const page = await cli.client.listConversations({ ...flags, deviceId: device });
      cli.print(page, () => [...table(page.conversations, cli), ...moreLines(cli, page.nextCursor)]);
    });
  command
    .command('show')
    .argument('<conversation>', 'the id of the conversation')
    .description('Show the messages of a conversation, newest first.')
    .option('--cursor <cursor>', 'continue an earlier list')
    .action(async (id: string, flags: { cursor?: string }, own: Command) => {
      const cli = begin(own);
      const page = await cli.client.listConversationMessages(id, flags);
      cli.print(page, () => [
        ...page.messages.map((message) => line(message, cli)),
        ...moreLines(cli, page.nextCursor),
      ]);
    });
  command
    .command('read')
    .argument('<conversation>', 'the id of the conversation')
    .description('Mark all messages of a conversation as read.')
    .action(async (id: string, _flags: object, own: Command) => {
      const cli = begin(own);
      const read = await cli.client.markConversationRead(id);
      cli.print(read, () => ['marked as read']);
    });
}

const nameOf = ({ name, phone, userId, type }: Conversation): string => name ?? phone ?? userId ?? type;

function table(conversations: readonly Conversation[], { clock }: Cli): string[] {
  if (conversations.length === 0) return ['No conversations.'];
  return tableLines(
    conversations.map((conversation) => [
      conversation.conversationId,
      nameOf(conversation),
      conversation.unread === 0 ? '' : `${conversation.unread} unread`,
      fromNow(conversation.lastMessageAt, clock.now()),
    ]),
    (cell) => cell,
  );
}

function line(message: ChatMessage, { paint, clock }: Cli): string {
  const arrow = message.direction === 'inbound' ? '←' : '→';
  const text = message.text ?? message.emoji ?? message.type ?? message.kind;
  return `${paint.dim(fromNow(message.at, clock.now()))}  ${arrow}  ${harmless(text)}`;
}
