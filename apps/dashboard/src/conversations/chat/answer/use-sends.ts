import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../http/call.js';
import { queryKey } from '../../../http/query.js';
import { newClientRef } from '../../../messages/send/draft-ref.js';
import type { Conversation, Entry } from '../../conversation-queries.js';
import type { Pending, Sends } from '../lines/chat-lines.js';

type Sender = Sends & { send(text: string, replyTo: Entry | null): void };

/** Sends messages of a chat. Each stays in `pending`, so that it is shown at once and survives a failure. */
export function useSends({ conversation_id: conversationId, device_id: deviceId }: Conversation): Sender {
  const client = useQueryClient();
  const [pending, setPending] = useState<readonly Pending[]>([]);
  const change = (ref: string, changes: Partial<Pending>) =>
    setPending((all) => all.map((one) => (one.ref === ref ? { ...one, ...changes } : one)));

  async function post({ ref, text, replyTo }: Pending): Promise<void> {
    const body = {
      conversation_id: conversationId,
      message: text,
      client_ref: ref,
      ...(replyTo === null ? {} : { reply_to: replyTo.message_id }),
    };
    try {
      const { job_id: jobId } = await call('sendMessage', { deviceId, body });
      change(ref, { jobId });
      await client.invalidateQueries({ queryKey: queryKey('listConversationMessages') });
    } catch (failure) {
      change(ref, { failure });
    }
  }

  return {
    pending,
    send(text, replyTo) {
      const one = { ref: newClientRef(), text, replyTo, at: new Date().toISOString(), jobId: null, failure: null };
      setPending((all) => [...all, one]);
      void post(one);
    },
    again(one) {
      change(one.ref, { failure: null });
      void post(one);
    },
    discard: ({ ref }) => setPending((all) => all.filter((one) => one.ref !== ref)),
  };
}
