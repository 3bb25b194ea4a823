/** The bell: how many notices are unread, and the list of them. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell as BellIcon } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { readQuery } from '../http/query.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { openShell, useOverlay } from './ground/shell-state.js';
import { shellTexts } from './ground/texts.js';

const NoticeList = lazy(async () => ({ default: (await import('../notices/notice-list.js')).NoticeList }));

const shownMax = 99;

export function Bell() {
  const t = useTexts(shellTexts);
  const unread = useQuery(readQuery('listNotices', { query: { limit: 1 } })).data?.unread ?? 0;
  const count = unread > shownMax ? `${shownMax}+` : `${unread}`;
  return (
    <>
      <Button
        look="quiet"
        size="icon"
        className="relative"
        aria-label={unread === 0 ? t.notices : t.noticesUnread(count)}
        aria-haspopup="dialog"
        onClick={() => openShell('notices')}
      >
        <BellIcon aria-hidden className="size-5" />
        {unread > 0 && (
          <span
            aria-hidden
            className="absolute top-0.5 right-0 min-w-4 rounded-full bg-accent px-1 text-center text-[0.625rem] leading-4 font-semibold text-on-accent"
          >
            {count}
          </span>
        )}
      </Button>
      <span role="status" className="sr-only">
        {unread === 0 ? '' : t.noticesUnread(count)}
      </span>
    </>
  );
}

export function BellDialog() {
  const t = useTexts(shellTexts);
  const close = () => openShell(null);
  return (
    <Dialog shape="sheet" open={useOverlay() === 'notices'} onClose={close} title={t.notices}>
      <div className="-mx-6">
        <Suspense fallback={null}>
          <NoticeList onGo={close} />
        </Suspense>
        <p className="px-6 pt-4 text-sm">
          <Link to="/notices" onClick={close} className="text-accent underline underline-offset-4">
            {t.noticesAll}
          </Link>
        </p>
      </div>
    </Dialog>
  );
}
