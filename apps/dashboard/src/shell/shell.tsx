import { Outlet, useBlocker, useRouter, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { useTexts } from '../i18n/texts.js';
import { isGatewayReachable, preloadPage } from '../http/lazy-page.js';
import { ConfirmationDialog } from '../session/confirmation-dialog.js';
import { useMe } from '../session/me.js';
import { useFirstLanguage } from '../session/person-language.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { commandKey, Kbd } from '../ui/kbd.js';
import { toast } from '../ui/overlays/toasts.js';
import { Tooltip } from '../ui/overlays/tooltip.js';
import { Brand } from '../ui/brand.js';
import { Bell, BellDialog } from './bell.js';
import { destinationsFor } from './ground/destinations.js';
import { LiveMark } from './live-mark.js';
import { Navigation } from './navigation.js';
import { PaletteDialog } from './palette-dialog.js';
import { PersonMenu } from './person-menu.js';
import { openShell, useOverlay } from './ground/shell-state.js';
import { ShortcutsDialog } from './shortcuts-dialog.js';
import { shellTexts } from './ground/texts.js';
import { SuspendedNotice } from './suspended-notice.js';
import { useShortcuts } from './use-shortcuts.js';

function SandboxMark() {
  const t = useTexts(shellTexts);
  return (
    <Tooltip text={t.sandboxNote}>
      <button type="button" className="rounded-full bg-warn-soft px-2 py-0.5 text-xs font-medium text-warn">
        {t.sandbox}
      </button>
    </Tooltip>
  );
}

function SearchButton() {
  const t = useTexts(shellTexts);
  return (
    <button
      type="button"
      onClick={() => openShell('palette')}
      className="flex h-9 w-full items-center gap-2 rounded-md border border-line-strong bg-surface px-2.5 text-sm text-ink-faint hover:border-field"
    >
      <Search aria-hidden className="size-4" />
      <span className="flex-1 truncate text-left">{t.search}</span>
      <span aria-hidden>
        <Kbd>{commandKey === '⌘' ? '⌘K' : 'Ctrl K'}</Kbd>
      </span>
    </button>
  );
}

function Sidebar() {
  const me = useMe();
  return (
    <aside className="sticky top-0 hidden h-dvh flex-col gap-4 border-r border-line bg-sunken px-3 py-4 lg:flex">
      <div className="flex items-center justify-between px-2">
        <Brand />
        <div className="flex items-center gap-1">
          {me.sandbox && <SandboxMark />}
          <Bell />
        </div>
      </div>
      <SearchButton />
      <div className="scroll-shade min-h-0 flex-1 overflow-y-auto">
        <Navigation />
      </div>
      <div className="px-2.5">
        <LiveMark />
      </div>
      <PersonMenu />
    </aside>
  );
}

function TopBar() {
  const t = useTexts(shellTexts);
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center justify-between border-b border-line bg-paper/92 px-4 backdrop-blur lg:hidden">
      <Brand />
      <div className="flex gap-1">
        <Bell />
        <Button look="quiet" size="icon" aria-label={t.search} onClick={() => openShell('palette')}>
          <Search aria-hidden className="size-5" />
        </Button>
        <Button look="quiet" size="icon" aria-label={t.open} onClick={() => openShell('menu')}>
          <MenuIcon aria-hidden className="size-5" />
        </Button>
      </div>
    </header>
  );
}

/** Moves the focus to the heading of a new page, so that a screen reader announces the page. */
function useFocusOnNavigation() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    window.scrollTo(0, 0);
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, [path]);
}

/** Keeps the person on this page, with all that was typed here, if the code of the next page does not come. */
function usePageUntilNext() {
  const t = useTexts(shellTexts);
  const router = useRouter();
  useBlocker({
    enableBeforeUnload: false,
    shouldBlockFn: async ({ next }) => {
      try {
        await preloadPage(router.routesById[next.routeId].options.component);
        return false;
      } catch {
        if (await isGatewayReachable())
          location.assign(
            router.buildLocation({ to: next.fullPath, params: next.params, search: next.search }).publicHref,
          );
        else toast(t.offline, 'problem');
        return true;
      }
    },
  });
}

export function Shell() {
  const t = useTexts(shellTexts);
  const me = useMe();
  const destinations = useMemo(() => destinationsFor(me), [me]);
  useShortcuts(destinations);
  useFocusOnNavigation();
  usePageUntilNext();
  useFirstLanguage();
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)]">
      <a
        href="#page"
        className="sr-only z-60 rounded-md bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {t.skip}
      </a>
      <Sidebar />
      <TopBar />
      <main id="page" tabIndex={-1} className="min-w-0 outline-none">
        <SuspendedNotice />
        <Outlet />
      </main>
      <Dialog shape="sheet" open={useOverlay() === 'menu'} onClose={() => openShell(null)} title={<Brand />}>
        <div className="flex flex-col gap-6">
          <Navigation onGo={() => openShell(null)} />
          <PersonMenu />
        </div>
      </Dialog>
      <BellDialog />
      <PaletteDialog />
      <ShortcutsDialog />
      <ConfirmationDialog />
    </div>
  );
}
