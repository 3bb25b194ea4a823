import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { BookOpen, ChevronsUpDown, Keyboard, LogOut, UserRound } from 'lucide-react';
import { useCall } from '../http/use-call.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { rememberFreshKey } from '../session/fresh-key.js';
import { useMe } from '../session/me.js';
import { useChooseLanguage } from '../session/person-language.js';
import { chooseTheme, themes, useTheme } from '../theme/theme.js';
import { Menu, MenuChoice, MenuItem, MenuLine } from '../ui/overlays/menu.js';
import { docsAddress } from './ground/docs-address.js';
import { openShell } from './ground/shell-state.js';
import { shellTexts } from './ground/texts.js';
import { useSignOut } from './ground/use-sign-out.js';

/** Clears the cache and the fresh key, because no page may show data of the account before. */
function useSwitchAccount() {
  const client = useQueryClient();
  const router = useRouter();
  const change = useCall('switchAccount');
  return async (account_id: string) => {
    await change.mutateAsync({ body: { account_id } });
    rememberFreshKey(null);
    client.clear();
    await router.navigate({ to: '/' });
    await router.invalidate();
  };
}

/** The profile, help, and the way out. */
function Ways() {
  const t = useTexts(shellTexts);
  const language = useLanguage();
  const leave = useSignOut();
  return (
    <>
      <MenuItem asChild>
        <Link to="/profile" onClick={() => openShell(null)}>
          <UserRound aria-hidden />
          {t.pages.profile}
        </Link>
      </MenuItem>
      <MenuItem onSelect={() => openShell('shortcuts')}>
        <Keyboard aria-hidden />
        {t.shortcuts}
      </MenuItem>
      <MenuItem asChild>
        <a href={docsAddress(language)} target="_blank" rel="noreferrer">
          <BookOpen aria-hidden />
          {t.docs}
        </a>
      </MenuItem>
      <MenuItem onSelect={() => void leave()}>
        <LogOut aria-hidden />
        {t.signOut}
      </MenuItem>
    </>
  );
}

export function PersonMenu() {
  const t = useTexts(shellTexts);
  const me = useMe();
  const language = useLanguage();
  const chooseLanguage = useChooseLanguage();
  const theme = useTheme();
  const switchTo = useSwitchAccount();
  const trigger = (
    <button type="button" className="flex w-full items-center gap-2.5 rounded-md p-2 text-left hover:bg-line/50">
      <span
        aria-hidden
        className="grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-semibold text-accent"
      >
        {(me.account.name.at(0) ?? 'K').toUpperCase()}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-medium">{me.account.name}</span>
        <span className="block truncate text-xs text-ink-faint">{me.user.email}</span>
      </span>
      <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-faint" />
    </button>
  );
  return (
    <Menu trigger={trigger} align="start" side="top">
      {me.accounts.length > 1 && (
        <>
          <MenuChoice
            label={t.switchAccount}
            value={me.account.account_id}
            choices={me.accounts.map(({ account_id: value, name: label }) => ({ value, label }))}
            onChoose={(id) => void switchTo(id)}
          />
          <MenuLine />
        </>
      )}
      <MenuChoice
        label={t.theme}
        value={theme}
        choices={themes.map((value) => ({ value, label: t.themes[value] }))}
        onChoose={chooseTheme}
      />
      <MenuChoice
        label={t.language}
        value={language}
        choices={[
          { value: 'id', label: 'Bahasa Indonesia' },
          { value: 'en', label: 'English' },
        ]}
        onChoose={chooseLanguage}
      />
      <MenuLine />
      <Ways />
    </Menu>
  );
}
