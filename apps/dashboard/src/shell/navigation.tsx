import { Link } from '@tanstack/react-router';
import { useMe } from '../session/me.js';
import { useTexts } from '../i18n/texts.js';
import { groups } from './destinations.js';
import { shellTexts } from './texts.js';

export function Navigation({ onGo }: { onGo?: () => void }) {
  const t = useTexts(shellTexts);
  const me = useMe();
  return (
    <nav aria-label={t.navigation} className="flex flex-col gap-5">
      {groups.map(({ name, items }) => (
        <div key={name ?? 'main'}>
          {name !== null && <p className="px-2.5 pb-1.5 text-xs font-medium text-ink-faint">{t.groups[name]}</p>}
          <ul className="flex flex-col gap-px">
            {items
              .filter((item) => item.isFor?.(me) ?? true)
              .map(({ name: page, to, icon: Icon }) => (
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
                    {t.pages[page]}
                  </Link>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
