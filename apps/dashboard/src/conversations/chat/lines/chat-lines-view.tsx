import { useMemo } from 'react';
import { formatDay } from '../../../format/format.js';
import { useLanguage } from '../../../i18n/language.js';
import { useTexts } from '../../../i18n/texts.js';
import { Button } from '../../../ui/button.js';
import { FailureNotice } from '../../../ui/failure-notice.js';
import { useNow } from '../../../ui/moment.js';
import { SkeletonLines } from '../../../ui/layout/skeleton.js';
import { type Conversation, type Entry, useEntries } from '../../conversation-queries.js';
import { Bubble, PendingBubble } from './bubble.js';
import { linesOf, type Sends } from './chat-lines.js';
import { chatTexts } from '../../chat-texts.js';
import { useEndOfChat } from './use-end-of-chat.js';

type LinesProps = { conversation: Conversation; sends: Sends; onReply: ((entry: Entry) => void) | null };

export function ChatLines({ conversation, sends, onReply }: LinesProps) {
  const t = useTexts(chatTexts);
  const list = useEntries(conversation.conversation_id);
  const { data } = list;
  const { pending } = sends;
  const lines = useMemo(() => linesOf(data?.pages.flatMap(({ messages }) => messages) ?? [], pending), [data, pending]);
  const { box, onScroll } = useEndOfChat(lines);
  return (
    // A keyboard scrolls this box only if it can have the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={box} tabIndex={0} onScroll={onScroll} className="min-h-0 flex-1 overflow-y-auto bg-sunken px-4 py-4">
      <FailureNotice failure={list.error} onRetry={list.refetch} />
      {list.isPending && <SkeletonLines count={5} />}
      {list.hasNextPage && (
        <div className="flex justify-center pb-4">
          <Button size="small" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t.earlier}
          </Button>
        </div>
      )}
      {data !== undefined && lines.length === 0 && <p className="py-12 text-center text-sm text-ink-soft">{t.none}</p>}
      <div role="log" aria-label={t.messages} className="mx-auto max-w-3xl">
        <ol className="flex flex-col gap-2">
          {lines.map((line) => {
            if (line.kind === 'day') return <Day key={line.key} at={line.at} />;
            if (line.kind === 'pending')
              return (
                <PendingBubble key={line.key} pending={line.pending} sends={sends} deviceId={conversation.device_id} />
              );
            return (
              <Bubble key={line.key} shown={line.shown} isGroup={conversation.type === 'group'} onReply={onReply} />
            );
          })}
        </ol>
      </div>
    </div>
  );
}

const dayMs = 86_400_000;
const everyMs = 60_000;

function Day({ at }: { at: string }) {
  const t = useTexts(chatTexts);
  const language = useLanguage();
  const day = new Date(at).toDateString();
  const now = useNow(everyMs);
  const names = new Map([
    [new Date(now).toDateString(), t.today],
    [new Date(now - dayMs).toDateString(), t.yesterday],
  ]);
  return (
    <li className="self-center rounded-full bg-surface px-3 py-1 text-xs text-ink-soft">
      {names.get(day) ?? formatDay(at, language)}
    </li>
  );
}
