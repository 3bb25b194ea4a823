/** Carries out what a bot asks for, with signed calls of the gateway. */
import type { KurirClient } from '../../calls/client.js';
import type { Clock } from '../../calls/clock.js';
import { KurirError } from '../../calls/errors.js';
import type { KurirEvent } from '../../contract/call-types.js';
import { type Chat, type PeerCall, PeerRefusal, type Recall } from './peer.js';

/** The newest entries are kept. */
const maxEntries = 50_000;

/**
 * The conversation of each number and each message that came lately, because a peer's calls name numbers and messages.
 * After a restart it fills again with the next messages.
 */
export type Memory = {
  note(event: KurirEvent): void;
  noteJob(jobId: string, chat: Chat): void;
  conversationOf(call: Extract<PeerCall, { kind: 'read' }>): string | null;
  recall: Recall;
};

function put<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxEntries && oldest !== undefined) map.delete(oldest);
}

export function createMemory(): Memory {
  const conversations = new Map<string, string>();
  const chats = new Map<string, Chat>();
  return {
    note(event) {
      if (event.type !== 'message.received') return;
      const { chat, messageId, from } = event.data;
      put(conversations, messageId, chat.id);
      if (chat.type === 'direct' && from.phone !== null) put(conversations, from.phone, chat.id);
    },
    noteJob(jobId, chat) {
      if ('conversationId' in chat) put(chats, jobId, chat);
    },
    conversationOf({ chat, messageId }) {
      if (chat !== null && 'conversationId' in chat) return chat.conversationId;
      return conversations.get(chat === null ? (messageId ?? '') : chat.phone) ?? null;
    },
    recall: (jobId) => chats.get(jobId) ?? null,
  };
}

const recipientOf = (chat: Chat) =>
  'phone' in chat ? { phoneDestination: chat.phone } : { conversationId: chat.conversationId };

async function send(client: KurirClient, call: Extract<PeerCall, { kind: 'send' }>, ref: string | null) {
  const { chat, text, replyTo } = call;
  const { jobId } = await client.sendMessage({
    ...recipientOf(chat),
    message: text,
    replyTo: replyTo ?? undefined,
    clientRef: ref ?? undefined,
  });
  return jobId;
}

async function showTyping(client: KurirClient, { chat, action }: Extract<PeerCall, { kind: 'typing' }>) {
  await client.chatPresence({ action, ...recipientOf(chat) }).catch((error: unknown) => {
    // The gateway refuses to type to a group. A bot must not fail because of it.
    const isRefused = error instanceof KurirError && error.code === 'INVALID_REQUEST';
    if (!isRefused || 'phone' in chat) throw error;
  });
}

export function createCarryOut(client: KurirClient, memory: Memory, clock: Clock) {
  return async (call: PeerCall, ref: string | null): Promise<object> => {
    switch (call.kind) {
      case 'send': {
        const jobId = await send(client, call, ref);
        memory.noteJob(jobId, call.chat);
        return call.answer(jobId, clock.now());
      }
      case 'typing':
        await showTyping(client, call);
        return call.answer;
      case 'read': {
        const conversationId = memory.conversationOf(call);
        if (conversationId === null)
          throw new PeerRefusal(
            404,
            'CONVERSATION_NOT_FOUND',
            'No message of this chat came since the bridge started.',
          );
        await client.markConversationRead(conversationId);
        return call.answer;
      }
    }
  };
}
