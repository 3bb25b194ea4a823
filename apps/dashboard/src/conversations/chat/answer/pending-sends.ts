/** The messages that this tab sends and the list does not have yet. They outlive the chat that wrote them. */
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { call } from '../../../http/call.js';
import { queryKey } from '../../../http/query.js';
import type { Conversation } from '../../conversation-queries.js';
import type { Pending } from '../lines/chat-lines.js';

export type Chat = Pick<Conversation, 'conversation_id' | 'device_id'>;

const keyOf = (conversationId: string) => ['pending', conversationId];

export const usePending = (conversationId: string): readonly Pending[] =>
  useQuery<readonly Pending[]>({
    queryKey: keyOf(conversationId),
    enabled: false,
    initialData: [],
    staleTime: Infinity,
    gcTime: Infinity,
  }).data;

const update = (
  client: QueryClient,
  conversationId: string,
  change: (before: readonly Pending[]) => readonly Pending[],
): void => {
  client.setQueryData<readonly Pending[]>(keyOf(conversationId), (before = []) => change(before));
};

const put = (client: QueryClient, conversationId: string, next: Pending): void =>
  update(client, conversationId, (before) =>
    before.some(({ ref }) => ref === next.ref)
      ? before.map((one) => (one.ref === next.ref ? next : one))
      : [...before, next],
  );

export const discardPending = (client: QueryClient, conversationId: string, ref: string): void =>
  update(client, conversationId, (before) => before.filter((one) => one.ref !== ref));

async function post(client: QueryClient, { conversation_id: id, device_id: deviceId }: Chat, one: Pending) {
  const { ref, text, replyTo } = one;
  const body = {
    conversation_id: id,
    message: text,
    client_ref: ref,
    ...(replyTo === null ? {} : { reply_to: replyTo.message_id }),
  };
  try {
    const { job_id: jobId } = await call('sendMessage', { deviceId, body });
    put(client, id, { ...one, jobId });
  } catch (failure) {
    put(client, id, { ...one, failure });
    return;
  }
  await client.invalidateQueries({ queryKey: queryKey('listConversationMessages') });
  discardPending(client, id, ref);
}

/** The last sending of each conversation. The next one waits for it, so that messages keep their order. */
const last = new Map<string, Promise<void>>();

/** Shows the message at once and sends it. Never rejects: a failed message stays, with its failure. */
export function sendPending(client: QueryClient, chat: Chat, given: Pending): Promise<void> {
  const one = { ...given, failure: null };
  put(client, chat.conversation_id, one);
  const sending = (last.get(chat.conversation_id) ?? Promise.resolve()).then(() => post(client, chat, one));
  last.set(chat.conversation_id, sending);
  return sending;
}
