import { listConversations as list } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { visibleDevices } from '../operations/test-keys.js';
import { showConversation } from './show-conversation.js';

export const listConversations: Handler<'listConversations'> = async ({ caller, query }, { database }) => {
  const { conversations, nextCursor } = await list(database, caller.accountId, {
    ...query,
    deviceIds: await visibleDevices(database, caller),
  });
  return { conversations: conversations.map(showConversation), next_cursor: nextCursor };
};
