/** A search field for pages, actions, things and messages. The browser loads it when a person first opens it. */
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { BookOpen, Search } from 'lucide-react';
import { useState } from 'react';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { useMay, useMe } from '../../session/me.js';
import { Kbd } from '../../ui/kbd.js';
import { destinationsFor } from '../ground/destinations.js';
import { shellTexts } from '../ground/texts.js';
import { Actions } from './actions.js';
import { docsAddress } from '../ground/docs-address.js';
import { type Choose, Entry, headingLook } from './entry.js';
import { pageWords } from './page-words.js';
import { isNamed, last, rank, thing } from './rank.js';
import { Things, useThings } from './things.js';

export function Palette({ onClose }: { onClose: () => void }) {
  const t = useTexts(shellTexts);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState('');
  const text = typed.trim();
  const things = useThings(text);
  const named = things.find(({ name }) => isNamed(name, text));
  const namedId = named?.id;
  // The lists may arrive after the text.
  const [namedBefore, setNamedBefore] = useState(namedId);
  if (namedId !== namedBefore) {
    setNamedBefore(namedId);
    if (namedId !== undefined) setChosen(`${thing}${namedId}`);
  }
  const choose: Choose = (act) => () => {
    onClose();
    void act();
  };
  return (
    <Command
      label={t.palette}
      loop
      filter={rank}
      value={chosen}
      onValueChange={setChosen}
      className="flex min-h-0 flex-col"
    >
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search aria-hidden className="size-4.5 text-ink-faint" />
        <Command.Input
          autoFocus
          value={typed}
          onValueChange={setTyped}
          placeholder={t.paletteHint}
          className="h-13 flex-1 bg-transparent text-[16px] outline-none placeholder:text-ink-faint"
        />
        <Kbd>esc</Kbd>
      </div>
      <Command.List className="min-h-0 flex-1 overflow-y-auto p-2">
        <Command.Empty className="px-3 py-8 text-center text-sm text-ink-soft">{t.nothing}</Command.Empty>
        {(named === undefined ? ['pages', 'things'] : ['things', 'pages']).map((group) =>
          group === 'pages' ? (
            <Pages key={group} choose={choose} />
          ) : (
            <Things key={group} things={things} text={text} choose={choose} />
          ),
        )}
        <Actions choose={choose} />
        {text !== '' && <Searches text={text} choose={choose} />}
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
          value={`page ${name}`}
          words={[t.pages[name], shellTexts.en.pages[name], shellTexts.id.pages[name], pageWords[name]]}
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

function Searches({ text, choose }: { text: string; choose: Choose }) {
  const t = useTexts(shellTexts);
  const language = useLanguage();
  const maySearch = useMay('viewer');
  const navigate = useNavigate();
  return (
    <Command.Group heading={t.searches} className={headingLook}>
      {maySearch && (
        <Entry
          value={last.findMessages}
          words={[]}
          icon={<Search aria-hidden />}
          onSelect={choose(() => navigate({ to: '/messages', search: { q: text } }))}
        >
          {t.findMessages(text)}
        </Entry>
      )}
      <Entry
        value={last.searchDocs}
        words={[]}
        icon={<BookOpen aria-hidden />}
        onSelect={choose(() => window.open(docsAddress(language, text), '_blank', 'noopener'))}
      >
        {t.searchDocs(text)}
      </Entry>
    </Command.Group>
  );
}
