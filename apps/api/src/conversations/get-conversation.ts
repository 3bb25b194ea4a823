import type { Handler } from '../operations/operation-request.js';
import { requireConversation } from './require-conversation.js';
import { showConversation } from './show-conversation.js';

export const getConversation: Handler<'getConversation'> = async ({ caller, params }, { database }) =>
  showConversation(await requireConversation(database, caller.accountId, params.conversation_id));
