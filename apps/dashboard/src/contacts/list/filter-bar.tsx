import { ChevronRight, Search as SearchIcon } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { Select } from '../../form/select.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { attributeOf, isFiltered, type Search } from '../filter.js';
import { ListChips } from './list-chips.js';
import { listTexts } from './texts.js';

type FilterBarProps = { search: Search; onSearch: (search: Search) => void };

export function FilterBar({ search, onSearch }: FilterBarProps) {
  const t = useTexts(listTexts);
  const set = (part: Search) => onSearch({ ...search, ...part });
  return (
    <div className="flex flex-col gap-3">
      <SearchField key={search.q} text={search.q ?? ''} onFind={(q) => set({ q })} />
      <ListChips chosen={search.list} onChoose={(list) => set({ list })} />
      <details className="group" open={search.attribute !== undefined || search.consent !== undefined}>
        <summary className="flex min-h-10 cursor-pointer items-center gap-1.5 text-sm font-medium">
          <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
          {t.filters}
        </summary>
        <div className="grid gap-4 pt-2 sm:grid-cols-2">
          <AttributeField
            key={search.attribute}
            text={search.attribute ?? ''}
            onFind={(attribute) => set({ attribute })}
          />
          <Field label={t.consent}>
            {(links) => (
              <Select
                {...links}
                className="w-full"
                value={search.consent ?? ''}
                onChange={({ target }) => set({ consent: target.value })}
              >
                <option value="">{t.consents.any}</option>
                <option value="yes">{t.consents.yes}</option>
                <option value="no">{t.consents.no}</option>
              </Select>
            )}
          </Field>
        </div>
      </details>
      {isFiltered(search) && (
        <Button size="small" look="quiet" className="self-start" onClick={() => onSearch({})}>
          {t.clear}
        </Button>
      )}
    </div>
  );
}

type TextProps = { text: string; onFind: (text: string) => void };

function SearchField({ text, onFind }: TextProps) {
  const t = useTexts(listTexts);
  const [typed, setTyped] = useState(text);
  const find = (event: SyntheticEvent) => {
    event.preventDefault();
    onFind(typed);
  };
  return (
    <form role="search" noValidate className="flex gap-2 sm:max-w-120" onSubmit={find}>
      <Input
        type="search"
        aria-label={t.search}
        placeholder={t.searchPlaceholder}
        maxLength={64}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" className="h-10 sm:h-10">
        <SearchIcon aria-hidden className="size-4" />
        {t.find}
      </Button>
    </form>
  );
}

function AttributeField({ text, onFind }: TextProps) {
  const t = useTexts(listTexts);
  const [typed, setTyped] = useState(text);
  const isBad = typed.trim() !== '' && attributeOf(typed) === null;
  const find = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!isBad) onFind(attributeOf(typed) ?? '');
  };
  return (
    <form noValidate onSubmit={find}>
      <Field label={t.attribute} hint={t.badAttribute} error={isBad ? t.badAttribute : undefined}>
        {(links) => (
          <div className="flex gap-2">
            <Input
              {...links}
              placeholder={t.attributePlaceholder}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
            <Button type="submit" className="h-10 sm:h-10">
              {t.find}
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
