/**
 * The chats of the messages that came lately, because a peer's calls and our statuses name numbers and messages. After a
 * restart it fills again with the next messages. A person whose number is hidden is then looked for at the gateway.
 */
import type { KurirClient } from '../../calls/client.js';
import { KurirConnectionError, KurirError } from '../../calls/errors.js';
import type { KurirEvent } from '../../contract/call-types.js';
import { hiddenOf, isStatusEvent } from './bridged-event.js';
import type { Chat, PeerCall, Recall } from './peer.js';

/** The newest entries are kept. */
const maxEntries = 50_000;
const pageRows = 100;
/** Somebody who wrote before that many others is not found. */
const maxPages = 10;

export type KnownChats = {
  /** Learns the chat of the event, before a peer shows it. */
  note(event: KurirEvent): Promise<void>;
  noteJob(jobId: string, chat: Chat): void;
  /** The conversation of a call that marks as read. Null: the bridge does not know it. */
  conversationOf(call: Extract<PeerCall, { kind: 'read' }>): Promise<string | null>;
  /** The conversation with a person whose number is hidden. Null: nobody knows this id. Rejects as the gateway refuses. */
  conversationWith(userId: string): Promise<string | null>;
  recall: Recall;
};

function put<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxEntries && oldest !== undefined) map.delete(oldest);
}

async function findPerson(client: KurirClient, deviceId: string, userId: string): Promise<string | null> {
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { conversations, nextCursor } = await client.listConversations({ deviceId, limit: pageRows, cursor });
    const found = conversations.find((conversation) => conversation.userId === userId);
    if (found !== undefined) return found.conversationId;
    if (nextCursor === null) return null;
    cursor = nextCursor;
  }
  return null;
}

/** The gateway refused, or did not answer. The person then has no chat but the id. */
function nobody(error: unknown): null {
  if (error instanceof KurirError || error instanceof KurirConnectionError) return null;
  throw error;
}

export function createKnownChats(client: KurirClient, deviceId: string): KnownChats {
  /** By the ids of messages and by numbers. */
  const conversations = new Map<string, string>();
  /** By the id of the person. Null: the gateway has none. */
  const people = new Map<string, string | null>();
  const jobs = new Map<string, Chat>();

  async function conversationWith(userId: string): Promise<string | null> {
    const known = people.get(userId);
    if (known !== undefined) return known;
    const found = await findPerson(client, deviceId, userId);
    put(people, userId, found);
    return found;
  }

  return {
    async note(event) {
      if (event.type === 'message.received') {
        const { chat, messageId, from } = event.data;
        put(conversations, messageId, chat.id);
        if (chat.type === 'group') return;
        if (from.phone !== null) put(conversations, from.phone, chat.id);
        if (from.userId !== null) put(people, from.userId, chat.id);
      }
      const userId = isStatusEvent(event) ? hiddenOf(event) : null;
      if (userId === null || jobs.has(event.subject.id)) return;
      const conversationId = await conversationWith(userId).catch(nobody);
      if (conversationId !== null) put(jobs, event.subject.id, { conversationId, isGroup: false });
    },
    noteJob(jobId, chat) {
      if (!('phone' in chat)) put(jobs, jobId, chat);
    },
    async conversationOf({ chat, messageId }) {
      if (chat === null) return conversations.get(messageId ?? '') ?? null;
      if ('conversationId' in chat) return chat.conversationId;
      return 'userId' in chat ? conversationWith(chat.userId) : (conversations.get(chat.phone) ?? null);
    },
    conversationWith,
    recall: (jobId) => jobs.get(jobId) ?? null,
  };
}
