import { readConversationMessages } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { requireConversation } from './require-conversation.js';
import { showEntry } from './show-entry.js';

export const listConversationMessages: Handler<'listConversationMessages'> = async (
  { caller, params, query },
  { database, accountKeys },
) => {
  const { id } = await requireConversation(database, caller.accountId, params.conversation_id);
  const { entries, nextCursor } = await readConversationMessages(database, accountKeys, id, query);
  return { messages: entries.map(showEntry), next_cursor: nextCursor };
};
