import { clsx } from 'clsx';
import type { ReactNode } from 'react';

type FrameProps = { list: ReactNode; chat: ReactNode | null; placeholder?: ReactNode };

/** Fills the screen. A phone shows the list or the chat; a wide screen shows both side by side. */
export function ConversationsFrame({ list, chat, placeholder }: FrameProps) {
  return (
    <div className="flex h-[calc(100dvh-3.5rem)] lg:h-dvh">
      <div
        className={clsx(
          'min-h-0 w-full flex-col border-line lg:flex lg:w-88 lg:shrink-0 lg:border-r',
          chat === null ? 'flex' : 'hidden',
        )}
      >
        {list}
      </div>
      <div className={clsx('min-h-0 min-w-0 flex-1 flex-col lg:flex', chat === null ? 'hidden' : 'flex')}>
        {chat ?? <div className="m-auto">{placeholder}</div>}
      </div>
    </div>
  );
}
