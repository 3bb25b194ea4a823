import { useQueryClient } from '@tanstack/react-query';
import { newClientRef } from '../../../messages/send/draft-ref.js';
import type { Entry } from '../../conversation-queries.js';
import type { Sends } from '../lines/chat-lines.js';
import { type Chat, discardPending, sendPending, usePending } from './pending-sends.js';

type Sender = Sends & { send(text: string, replyTo: Entry | null): void };

/** Sends messages of a chat. Each stays in `pending`, so that it is shown at once and survives a failure. */
export function useSends(chat: Chat): Sender {
  const client = useQueryClient();
  return {
    pending: usePending(chat.conversation_id),
    send(text, replyTo) {
      const at = new Date().toISOString();
      void sendPending(client, chat, { ref: newClientRef(), text, replyTo, at, jobId: null, failure: null });
    },
    again: (one) => void sendPending(client, chat, one),
    discard: ({ ref }) => discardPending(client, chat.conversation_id, ref),
  };
}
