import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import { ConversationList } from '../conversation-list.js';
import { conversationQuery } from '../conversation-queries.js';
import { ConversationsFrame } from '../conversations-frame.js';
import { conversationTexts } from '../texts.js';
import { BackToList } from './back-to-list.js';
import { Chat } from './chat.js';

/** One chat, beside the list if the screen is wide. */
export function ConversationPage() {
  const { conversationId } = useParams({ from: '/signed-in/conversations/$conversationId' });
  const { unread, device, q } = useSearch({ from: '/signed-in/conversations/$conversationId' });
  return (
    <ConversationsFrame
      list={
        <ConversationList
          heading="h2"
          onlyUnread={unread === true}
          deviceId={device}
          search={q}
          openId={conversationId}
        />
      }
      chat={<OpenChat key={conversationId} conversationId={conversationId} />}
    />
  );
}

function OpenChat({ conversationId }: { conversationId: string }) {
  const t = useTexts(conversationTexts);
  const { data, error, refetch } = useQuery(conversationQuery(conversationId));
  if (data !== undefined) return <Chat conversation={data} />;
  return (
    <div className="flex flex-col gap-4 p-4">
      <div className="flex items-center gap-2">
        <BackToList />
        <h1 tabIndex={-1} className="text-lg font-semibold outline-none">
          {t.title}
        </h1>
      </div>
      {error === null ? <SkeletonLines count={5} /> : <FailureNotice failure={error} onRetry={refetch} />}
    </div>
  );
}
