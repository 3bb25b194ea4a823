import { type AccountId, ApiError, type ConversationId, type DeviceId } from '@kurir/contracts';
import type { Database } from '@kurir/database';
import { requireConversation } from './require-conversation.js';

type Place = { readonly accountId: AccountId; readonly deviceId: DeviceId };

/** Returns the recipient of what the device sends to the conversation, or throws the refusal. */
export async function requireRecipient(
  database: Database,
  { accountId, deviceId }: Place,
  id: ConversationId,
): Promise<string> {
  const conversation = await requireConversation(database, accountId, id);
  if (conversation.deviceId !== deviceId)
    throw new ApiError(
      'INVALID_REQUEST',
      `conversation_id: belongs to the device ${conversation.deviceId}. Send that in X-Device-Id.`,
    );
  if (conversation.type === 'group')
    throw new ApiError('INVALID_REQUEST', 'conversation_id: is a group. Kurir sends to people only.');
  return conversation.recipient;
}
