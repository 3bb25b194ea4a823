/** The actions of the palette. Their words are those of both languages. */
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { BookOpen, CreditCard, Languages, LogOut, Plus, SunMoon, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { useChooseLanguage } from '../../session/person-language.js';
import { chooseTheme, useTheme } from '../../theme/theme.js';
import { shellTexts } from '../ground/texts.js';
import { useSignOut } from '../ground/use-sign-out.js';
import { docsAddress } from '../ground/docs-address.js';
import { type Choose, Entry, headingLook } from './entry.js';
import { paletteTexts } from './palette-texts.js';

type Name = keyof (typeof paletteTexts)['en'];
type Action = { name: Name; icon: ReactNode; act: () => unknown; mayUse?: boolean };

function useActions(): Action[] {
  const mayChange = useMay('developer');
  const isOwner = useMay('owner');
  const language = useLanguage();
  const chooseLanguage = useChooseLanguage();
  const theme = useTheme();
  const navigate = useNavigate();
  const signOut = useSignOut();
  return [
    {
      name: 'addDevice',
      icon: <Plus aria-hidden />,
      act: () => navigate({ to: '/devices', search: { add: true } }),
      mayUse: mayChange,
    },
    {
      name: 'createKey',
      icon: <Plus aria-hidden />,
      act: () => navigate({ to: '/keys', search: { create: true } }),
      mayUse: mayChange,
    },
    {
      name: 'invite',
      icon: <UserPlus aria-hidden />,
      act: () => navigate({ to: '/members', search: { invite: true } }),
      mayUse: isOwner,
    },
    { name: 'renew', icon: <CreditCard aria-hidden />, act: () => navigate({ to: '/billing' }), mayUse: isOwner },
    {
      name: 'docs',
      icon: <BookOpen aria-hidden />,
      act: () => window.open(docsAddress(language), '_blank', 'noopener'),
    },
    {
      name: 'theme',
      icon: <SunMoon aria-hidden />,
      act: () => chooseTheme(theme === 'dark' ? 'light' : 'dark'),
    },
    {
      name: 'language',
      icon: <Languages aria-hidden />,
      act: () => chooseLanguage(language === 'id' ? 'en' : 'id'),
    },
    { name: 'signOut', icon: <LogOut aria-hidden />, act: signOut },
  ];
}

export function Actions({ choose }: { choose: Choose }) {
  const t = useTexts(shellTexts);
  const p = useTexts(paletteTexts);
  return (
    <Command.Group heading={t.actions} className={headingLook}>
      {useActions()
        .filter(({ mayUse = true }) => mayUse)
        .map(({ name, icon, act }) => (
          <Entry
            key={name}
            value={name}
            words={[p[name], paletteTexts.en[name], paletteTexts.id[name]]}
            icon={icon}
            onSelect={choose(act)}
          >
            {p[name]}
          </Entry>
        ))}
    </Command.Group>
  );
}
