import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { readQuery } from '../http/query.js';
import { useMe } from '../session/me.js';
import { useTexts } from '../i18n/texts.js';
import { groupsFor } from './ground/destinations.js';
import { shellTexts } from './ground/texts.js';

export function Navigation({ onGo }: { onGo?: () => void }) {
  const t = useTexts(shellTexts);
  const me = useMe();
  const nav = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  // The column may be longer than the window.
  useEffect(() => {
    if (path === undefined) return;
    nav.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' });
  }, [path]);
  return (
    <nav ref={nav} aria-label={t.navigation} className="flex flex-col gap-5">
      {groupsFor(me).map(({ name, items }) => (
        <div key={name ?? 'main'}>
          {name !== null && <p className="px-2.5 pb-1.5 text-xs font-medium text-ink-faint">{t.groups[name]}</p>}
          <ul className="flex flex-col gap-px">
            {items.map(({ name: page, to, icon: Icon }) => (
              <li key={page}>
                <Link
                  to={to}
                  {...(onGo === undefined ? {} : { onClick: onGo })}
                  activeOptions={{ exact: to === '/' }}
                  className="group flex h-10 items-center lg:h-9 gap-2.5 rounded-md px-2.5 text-sm text-ink-soft hover:bg-line/50 hover:text-ink data-[status=active]:bg-accent-soft data-[status=active]:font-medium data-[status=active]:text-ink"
                >
                  <Icon
                    aria-hidden
                    className="size-4.5 text-ink-faint group-data-[status=active]:text-accent"
                    strokeWidth={1.9}
                  />
                  <span className="flex-1">{t.pages[page]}</span>
                  {page === 'conversations' && <UnreadConversations />}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

const countedMax = 9;

/** How many conversations are unread. */
function UnreadConversations() {
  const t = useTexts(shellTexts);
  const query = { unread: 'true', limit: countedMax + 1 } as const;
  const count = useQuery(readQuery('listConversations', { query })).data?.conversations.length ?? 0;
  if (count === 0) return null;
  const shown = count > countedMax ? `${countedMax}+` : `${count}`;
  return (
    <span className="min-w-5 rounded-full bg-accent px-1.5 text-center text-xs leading-5 font-semibold text-on-accent">
      <span aria-hidden>{shown}</span>
      <span className="sr-only">{t.conversationsUnread(shown)}</span>
    </span>
  );
}
