import { type AccountId, ApiError, isConversationId } from '@kurir/contracts';
import { type ConversationView, type Database, readConversation } from '@kurir/database';

/** The conversation of another account gets the same error. */
export const conversationNotFound = () =>
  new ApiError(
    'CONVERSATION_NOT_FOUND',
    'The account has no conversation with this id. Take it from an event, or from GET /api/v1/conversations.',
  );

export async function requireConversation(
  database: Database,
  accountId: AccountId,
  id: string,
): Promise<ConversationView> {
  const found = isConversationId(id) ? await readConversation(database, accountId, id) : null;
  if (found === null) throw conversationNotFound();
  return found;
}
