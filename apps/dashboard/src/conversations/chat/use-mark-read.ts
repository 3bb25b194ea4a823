import { useEffect } from 'react';
import { useCall } from '../../http/use-call.js';
import type { Conversation } from '../conversation-queries.js';

/** Marks the conversation as read while somebody looks at it. A tab in the background marks nothing. */
export function useMarkRead({ conversation_id: id, unread }: Conversation, mayMark: boolean): void {
  const { mutate } = useCall('markConversationRead', ['listConversations', 'getConversation']);
  useEffect(() => {
    if (unread === 0 || !mayMark) return undefined;
    const mark = () => {
      if (document.visibilityState === 'visible') mutate({ params: { conversation_id: id } });
    };
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [id, unread, mayMark, mutate]);
}
