import { useSearch } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { useEffect } from 'react';
import { useTexts } from '../i18n/texts.js';
import { EmptyState } from '../ui/layout/empty-state.js';
import { RoutePicture } from '../ui/layout/route-picture.js';
import { ConversationList } from './conversation-list.js';
import { ConversationsFrame } from './conversations-frame.js';
import { conversationTexts } from './texts.js';

/** The list. On a wide screen, a place for a chat stands beside it. */
export function ConversationsPage() {
  const t = useTexts(conversationTexts);
  const { unread, device, q } = useSearch({ from: '/signed-in/conversations' });
  useEffect(() => {
    document.title = `${t.title} · Kurir`;
  }, [t.title]);
  return (
    <ConversationsFrame
      list={<ConversationList heading="h1" onlyUnread={unread === true} deviceId={device} search={q} openId={null} />}
      chat={null}
      placeholder={
        <EmptyState
          picture={
            <RoutePicture>
              <MessagesSquare />
            </RoutePicture>
          }
          title={t.choose}
        >
          {t.chooseNote}
        </EmptyState>
      }
    />
  );
}
