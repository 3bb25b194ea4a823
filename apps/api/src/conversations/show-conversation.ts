import type { DataOf } from '@kurir/contracts';
import type { ConversationView } from '@kurir/database';

export const showConversation = (conversation: ConversationView): DataOf<'getConversation'> => ({
  conversation_id: conversation.id,
  device_id: conversation.deviceId,
  type: conversation.type,
  phone: conversation.phone,
  user_id: conversation.userId,
  name: conversation.name,
  unread: conversation.unread,
  last_message_at: conversation.lastMessageAt.toISOString(),
  created_at: conversation.createdAt.toISOString(),
});
