import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { readQuery } from '../http/query.js';
import { formatClock } from '../format/format.js';
import { formatPhone } from '../format/phone.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { useNow } from '../ui/moment.js';
import { Conversation } from './conversation.js';
import { sandboxTexts } from './texts.js';
import { WriteBack } from './write-back.js';
import { inOrder, useWritten } from './written-messages.js';

/** Live events announce new messages. No event announces typing, so the page polls for it. */
const typingRefreshMs = 1_500;

export function Phone({ number }: { number: string }) {
  const t = useTexts(sandboxTexts);
  const language = useLanguage();
  const { data, error } = useQuery({
    ...readQuery('readPhone', { params: { number } }),
    refetchInterval: typingRefreshMs,
  });
  const now = useNow();
  const screen = useRef<HTMLDivElement>(null);
  const arrived = data?.messages;
  const written = useWritten(number);
  const isTyping = (data?.typing.length ?? 0) > 0;
  useEffect(() => {
    if (arrived !== undefined || isTyping || written.length > 0)
      screen.current?.scrollTo({ top: screen.current.scrollHeight });
  }, [arrived, isTyping, written]);
  return (
    <div className="mx-auto w-full max-w-[23.5rem]">
      <section
        aria-label={`${t.screen} ${formatPhone(number)}`}
        className="flex h-[41rem] max-h-[82dvh] flex-col overflow-hidden rounded-[46px] border-[9px] border-[light-dark(#1b2033,#2c3350)] bg-[light-dark(#f4efe6,#12161f)] shadow-float"
      >
        <div className="relative flex items-center justify-between bg-accent px-6 pt-3 pb-1.5 text-xs font-medium text-on-accent">
          <span className="tabular">{formatClock(new Date(now).toISOString(), language)}</span>
          <span aria-hidden className="absolute top-2 left-1/2 h-5 w-24 -translate-x-1/2 rounded-full bg-[#12162a]" />
          <span aria-hidden className="flex h-2.5 w-5 items-center rounded-[3px] border border-current p-px">
            <span className="h-full w-3/4 rounded-[1px] bg-current" />
          </span>
        </div>
        <header className="flex items-center gap-3 bg-accent px-5 pb-3 text-on-accent">
          <span
            aria-hidden
            className="grid size-9 place-items-center rounded-full bg-on-accent/20 text-sm font-semibold"
          >
            {number.slice(-2)}
          </span>
          <div className="min-w-0">
            <p className="truncate text-sm font-semibold tabular">{formatPhone(number)}</p>
            <p className="h-4 text-xs opacity-90" aria-live="polite">
              {isTyping ? t.typing : ''}
            </p>
          </div>
        </header>
        <div
          ref={screen}
          tabIndex={0}
          role="log"
          aria-label={t.screen}
          className="min-h-0 flex-1 overflow-y-auto px-3 py-4"
        >
          <FailureNotice failure={error} />
          {data !== undefined && (
            <Conversation number={number} messages={inOrder(data.messages, written)} typing={isTyping} />
          )}
        </div>
        <WriteBack number={number} lastDeviceId={data?.messages.at(-1)?.device_id} />
      </section>
    </div>
  );
}
