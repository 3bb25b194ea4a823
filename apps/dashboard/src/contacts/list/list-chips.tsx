import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { type ReactNode, useState } from 'react';
import { formatCount } from '../../format/format.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { listsQuery } from '../contact-queries.js';
import { listTexts } from './texts.js';

const shownLists = 8;

type ListChipsProps = { chosen: string | undefined; onChoose: (list: string | undefined) => void };

/** The lists with their counts. A tap shows one of them, and a second tap shows everybody again. */
export function ListChips({ chosen, onChoose }: ListChipsProps) {
  const t = useTexts(listTexts);
  const language = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(listsQuery());
  const lists = data?.lists ?? [];
  if (lists.length === 0) return null;
  const shown = isOpen ? lists : lists.filter(({ name }, i) => i < shownLists || name === chosen);
  const count = (value: number) => formatCount(value, language);
  return (
    <div role="group" aria-label={t.lists} className="flex flex-wrap gap-2">
      <Chip pressed={chosen === undefined} onPress={() => onChoose(undefined)}>
        {t.everybody}
      </Chip>
      {shown.map(({ name, contacts }) => (
        <Chip key={name} pressed={name === chosen} onPress={() => onChoose(name === chosen ? undefined : name)}>
          <span className="truncate">{name}</span>
          <span className="text-xs text-ink-soft tabular">{count(contacts)}</span>
        </Chip>
      ))}
      {shown.length < lists.length && (
        <Chip pressed={false} onPress={() => setOpen(true)}>
          {t.moreLists(count(lists.length - shown.length))}
        </Chip>
      )}
    </div>
  );
}

type ChipProps = { pressed: boolean; onPress: () => void; children: ReactNode };

function Chip({ pressed, onPress, children }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={clsx(
        'inline-flex h-10 max-w-full items-center gap-2 rounded-full border px-3.5 text-sm font-medium sm:h-9',
        pressed ? 'border-accent bg-accent-soft' : 'border-line-strong bg-surface hover:bg-sunken',
      )}
    >
      {children}
    </button>
  );
}
