/** A search field for pages, actions and messages. The browser loads it when a person first opens it. */
import { useNavigate } from '@tanstack/react-router';
import { Command, defaultFilter } from 'cmdk';
import { Languages, Plus, Search, SunMoon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { chooseLanguage, useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { useMay, useMe } from '../session/me.js';
import { chooseTheme, useTheme } from '../theme/theme.js';
import { Kbd } from '../ui/kbd.js';
import { destinationsFor } from './destinations.js';
import { paletteTexts } from './palette-texts.js';
import { shellTexts } from './texts.js';

/** This entry is always in the list, after all entries whose name fits. */
const findMessages = 'find messages';
const rank = (value: string, search: string, keywords?: string[]) =>
  value === findMessages ? 0.001 : (defaultFilter(value, search, keywords) ?? 0);

type EntryProps = {
  value: string;
  icon: ReactNode;
  keys?: readonly string[];
  onSelect: () => void;
  children: ReactNode;
};

function Entry({ value, icon, keys = [], onSelect, children }: EntryProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex cursor-pointer items-center gap-3 rounded-md px-3 py-2 text-sm data-[selected=true]:bg-accent-soft [&>svg]:size-4 [&>svg]:text-ink-faint"
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      <span aria-hidden className="flex gap-1">
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </span>
    </Command.Item>
  );
}

const headingLook =
  '[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-faint';

/** Returns a function that closes the palette and then calls `act`. */
type Choose = (act: () => unknown) => () => void;

export function Palette({ onClose }: { onClose: () => void }) {
  const t = useTexts(shellTexts);
  const [text, setText] = useState('');
  const choose: Choose = (act) => () => {
    onClose();
    void act();
  };
  return (
    <Command label={t.palette} loop filter={rank} className="flex min-h-0 flex-col">
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search aria-hidden className="size-4.5 text-ink-faint" />
        <Command.Input
          autoFocus
          value={text}
          onValueChange={setText}
          placeholder={t.paletteHint}
          className="h-13 flex-1 bg-transparent text-[16px] outline-none placeholder:text-ink-faint"
        />
        <Kbd>esc</Kbd>
      </div>
      <Command.List className="min-h-0 flex-1 overflow-y-auto p-2">
        <Command.Empty className="px-3 py-8 text-center text-sm text-ink-soft">{t.nothing}</Command.Empty>
        <Pages choose={choose} />
        <Actions choose={choose} />
        {text.trim() !== '' && <FindMessages text={text.trim()} choose={choose} />}
      </Command.List>
    </Command>
  );
}

function Pages({ choose }: { choose: Choose }) {
  const t = useTexts(shellTexts);
  const me = useMe();
  const navigate = useNavigate();
  return (
    <Command.Group heading={t.goTo} className={headingLook}>
      {destinationsFor(me).map(({ name, to, icon: Icon, key }) => (
        <Entry
          key={name}
          value={t.pages[name]}
          icon={<Icon aria-hidden />}
          keys={['g', key]}
          onSelect={choose(() => navigate({ to }))}
        >
          {t.pages[name]}
        </Entry>
      ))}
    </Command.Group>
  );
}

function Actions({ choose }: { choose: Choose }) {
  const t = useTexts(shellTexts);
  const p = useTexts(paletteTexts);
  const mayChange = useMay('developer');
  const language = useLanguage();
  const theme = useTheme();
  const navigate = useNavigate();
  return (
    <Command.Group heading={t.actions} className={headingLook}>
      {mayChange && (
        <>
          <Entry
            value={p.addDevice}
            icon={<Plus aria-hidden />}
            onSelect={choose(() => navigate({ to: '/devices', search: { add: true } }))}
          >
            {p.addDevice}
          </Entry>
          <Entry
            value={p.createKey}
            icon={<Plus aria-hidden />}
            onSelect={choose(() => navigate({ to: '/keys', search: { create: true } }))}
          >
            {p.createKey}
          </Entry>
        </>
      )}
      <Entry
        value={p.theme}
        icon={<SunMoon aria-hidden />}
        onSelect={choose(() => chooseTheme(theme === 'dark' ? 'light' : 'dark'))}
      >
        {p.theme}
      </Entry>
      <Entry
        value={p.language}
        icon={<Languages aria-hidden />}
        onSelect={choose(() => chooseLanguage(language === 'id' ? 'en' : 'id'))}
      >
        {p.language}
      </Entry>
    </Command.Group>
  );
}

function FindMessages({ text, choose }: { text: string; choose: Choose }) {
  const t = useTexts(shellTexts);
  const navigate = useNavigate();
  return (
    <Command.Group heading={t.pages.messages} className={headingLook}>
      <Command.Item
        value={findMessages}
        onSelect={choose(() => navigate({ to: '/messages', search: { q: text } }))}
        className="flex cursor-pointer items-center gap-3 rounded-md px-3 py-2 text-sm data-[selected=true]:bg-accent-soft"
      >
        <Search aria-hidden className="size-4 text-ink-faint" />
        {t.findMessages(text)}
      </Command.Item>
    </Command.Group>
  );
}
