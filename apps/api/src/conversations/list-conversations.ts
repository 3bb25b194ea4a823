import { listConversations as list, readLastMessages } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { visibleDevices } from '../operations/test-keys.js';
import { showEntry } from './show-entry.js';
import { showConversation } from './show-conversation.js';

export const listConversations: Handler<'listConversations'> = async ({ caller, query }, { database, accountKeys }) => {
  const { conversations, nextCursor } = await list(database, caller.accountId, {
    ...query,
    deviceIds: await visibleDevices(database, caller),
  });
  const last = await readLastMessages(
    database,
    accountKeys,
    conversations.map(({ id }) => id),
  );
  const shown = conversations.map((conversation) => {
    const entry = last.get(conversation.id);
    return { ...showConversation(conversation), last_message: entry === undefined ? null : showEntry(entry) };
  });
  return { conversations: shown, next_cursor: nextCursor };
};
