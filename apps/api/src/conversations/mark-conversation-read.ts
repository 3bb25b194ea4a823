import { isConversationId } from '@kurir/contracts';
import { markRead } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { conversationNotFound } from './require-conversation.js';
import { showConversation } from './show-conversation.js';

export const markConversationRead: Handler<'markConversationRead'> = async ({ caller, params }, { database }) => {
  const { conversation_id: id } = params;
  const marked = isConversationId(id) ? await markRead(database, caller.accountId, id) : null;
  if (marked === null) throw conversationNotFound();
  return showConversation(marked);
};
