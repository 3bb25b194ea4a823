/** Carries out what a bot asks for, with signed calls of the gateway. */
import type { KurirClient } from '../../calls/client.js';
import type { Clock } from '../../calls/clock.js';
import { KurirError } from '../../calls/errors.js';
import type { KnownChats } from './known-chats.js';
import { type Chat, type PeerCall, PeerRefusal } from './peer.js';

async function recipientOf(chat: Chat, chats: KnownChats) {
  if ('phone' in chat) return { phoneDestination: chat.phone };
  if ('conversationId' in chat) return { conversationId: chat.conversationId };
  const conversationId = await chats.conversationWith(chat.userId);
  if (conversationId !== null) return { conversationId };
  throw new PeerRefusal(
    404,
    'CONVERSATION_NOT_FOUND',
    `The device has no conversation with ${chat.userId}. Answer to the chat of a message, or to a number.`,
  );
}

type Send = Extract<PeerCall, { kind: 'send' }>;
type Typing = Extract<PeerCall, { kind: 'typing' }>;

async function send(client: KurirClient, chats: KnownChats, { chat, text, replyTo }: Send, ref: string | null) {
  const { jobId } = await client.sendMessage({
    ...(await recipientOf(chat, chats)),
    message: text,
    replyTo: replyTo ?? undefined,
    clientRef: ref ?? undefined,
  });
  chats.noteJob(jobId, chat);
  return jobId;
}

async function showTyping(client: KurirClient, chats: KnownChats, { chat, action }: Typing) {
  await client.chatPresence({ action, ...(await recipientOf(chat, chats)) }).catch((error: unknown) => {
    // The gateway refuses to type to a group. A bot must not fail because of it.
    const isRefused = error instanceof KurirError && error.code === 'INVALID_REQUEST';
    if (!isRefused || 'phone' in chat) throw error;
  });
}

export function createCarryOut(client: KurirClient, chats: KnownChats, clock: Clock) {
  return async (call: PeerCall, ref: string | null): Promise<object> => {
    switch (call.kind) {
      case 'send':
        return call.answer(await send(client, chats, call, ref), clock.now());
      case 'typing':
        await showTyping(client, chats, call);
        return call.answer;
      case 'read': {
        const conversationId = await chats.conversationOf(call);
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
