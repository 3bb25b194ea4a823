import { isListName, limits } from '@kurir/contracts/dashboard';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { listsQuery } from '../contact-queries.js';
import { fieldTexts } from './texts.js';

type ListsFieldProps = {
  chosen: readonly string[];
  onChange: (lists: readonly string[]) => void;
  /** Whether a person can write a new name. */
  hasNew?: boolean;
};

/** The lists of the account, each a box to tick, and a field for a new one. */
export function ListsField({ chosen, onChange, hasNew = true }: ListsFieldProps) {
  const t = useTexts(fieldTexts);
  const { data } = useQuery(listsQuery());
  const known = data?.lists.map(({ name }) => name) ?? [];
  const names = [...known, ...chosen.filter((name) => !known.includes(name))];
  const toggle = (name: string) =>
    onChange(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]);
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="pb-1.5 text-sm font-medium">{t.lists}</legend>
      {names.length > 0 && (
        <div className="flex max-h-44 flex-wrap gap-2 overflow-y-auto p-0.5">
          {names.map((name) => (
            <label
              key={name}
              className="flex min-h-10 max-w-full cursor-pointer items-center gap-2 rounded-full border border-line-strong px-3.5 text-sm has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="checkbox"
                className="size-4 shrink-0 accent-accent"
                checked={chosen.includes(name)}
                onChange={() => toggle(name)}
              />
              <span className="truncate">{name}</span>
            </label>
          ))}
        </div>
      )}
      {hasNew && <NewList onAdd={(name) => onChange([...chosen.filter((one) => one !== name), name])} />}
      <p className={chosen.length > limits.listsMax ? 'text-xs text-bad' : 'text-xs text-ink-faint'}>
        {chosen.length > limits.listsMax ? t.tooManyLists : t.listsHint}
      </p>
    </fieldset>
  );
}

function NewList({ onAdd }: { onAdd: (name: string) => void }) {
  const t = useTexts(fieldTexts);
  const [text, setText] = useState('');
  const name = text.trim();
  const isBad = name !== '' && !isListName(name);
  const add = () => {
    if (name === '' || isBad) return;
    onAdd(name);
    setText('');
  };
  // The field stands in a form, which Enter would send.
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  return (
    <Field label={<span className="text-ink-soft">{t.newList}</span>} error={isBad ? t.badList : undefined}>
      {(links) => (
        // A name that somebody typed and left counts, too.
        <div className="flex gap-2" onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && add()}>
          <Input
            {...links}
            maxLength={limits.listNameMaxLength}
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={onKey}
          />
          <Button className="h-10 sm:h-10" disabled={name === '' || isBad} onClick={add}>
            {t.addList}
          </Button>
        </div>
      )}
    </Field>
  );
}
