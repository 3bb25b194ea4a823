import { useQueryClient } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useEffect, useState } from 'react';
import { followEvents, type LiveState } from '../http/live.js';
import { useTexts } from '../i18n/texts.js';
import { shellTexts } from './ground/texts.js';

/** Follows the account's events while the shell is on the screen, and shows whether the stream is open. */
export function LiveMark() {
  const t = useTexts(shellTexts);
  const client = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  useEffect(() => followEvents(client, setState), [client]);
  const text = { open: t.live, connecting: t.liveConnecting, broken: t.liveBroken }[state];
  return (
    <span role="status" className="flex items-center gap-1.5 text-xs text-ink-faint">
      <span
        aria-hidden
        className={clsx('size-1.5 rounded-full', state === 'open' ? 'bg-ok' : 'animate-breathe bg-warn')}
      />
      {text}
    </span>
  );
}
