import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Field } from '../form/field.js';
import { Input } from '../form/input.js';
import { readPhone } from '../form/read-phone.js';
import { formatPhone } from '../format/phone.js';
import { useTexts } from '../i18n/texts.js';
import { useMe } from '../session/me.js';
import { Button } from '../ui/button.js';
import { Panel, PanelHead } from '../ui/layout/panel.js';
import { Moment } from '../ui/moment.js';
import type { ListedPhone } from './phone-queries.js';
import { sandboxTexts } from './texts.js';

type PhoneListProps = {
  phones: readonly ListedPhone[];
  number: string;
  search: string;
  onSearch: (text: string) => void;
  /** Reads older phones, if there are any. */
  onMore: (() => void) | null;
  isReadingMore: boolean;
};

export function PhoneList({ phones, number, search, onSearch, onMore, isReadingMore }: PhoneListProps) {
  const t = useTexts(sandboxTexts);
  const isEmpty = phones.length === 0;
  return (
    <Panel>
      <PanelHead title={t.phones} {...(isEmpty ? { note: search === '' ? t.noPhones : t.noneFound } : {})} />
      <OpenNumber text={search} onText={onSearch} />
      <ul className="max-h-96 overflow-y-auto px-2 pb-2">
        {phones.map((phone) => (
          <li key={phone.number}>
            <PhoneLink phone={phone} isOpen={phone.number === number} />
          </li>
        ))}
        {onMore !== null && (
          <li className="p-2">
            <Button size="small" busy={isReadingMore} onClick={onMore}>
              {t.more}
            </Button>
          </li>
        )}
      </ul>
    </Panel>
  );
}

function PhoneLink({ phone, isOpen }: { phone: ListedPhone; isOpen: boolean }) {
  const t = useTexts(sandboxTexts);
  return (
    <Link
      to="/handset"
      search={{ number: phone.number }}
      aria-current={isOpen ? 'true' : undefined}
      className="block rounded-md px-3 py-2.5 text-sm hover:bg-sunken aria-[current=true]:bg-accent-soft"
    >
      <span className="flex items-center justify-between gap-3">
        <span className="font-medium tabular">{formatPhone(phone.number)}</span>
        <span className="text-xs text-ink-soft">
          {phone.last_message_at !== null && <Moment at={phone.last_message_at} />}
        </span>
      </span>
      <span className="block truncate text-xs text-ink-soft">{phone.last_text ?? t.empty}</span>
    </Link>
  );
}

/** Finds a phone of the list while a person types. A whole number opens its phone, also if nothing was sent to it. */
function OpenNumber({ text, onText }: { text: string; onText: (text: string) => void }) {
  const t = useTexts(sandboxTexts);
  const { country } = useMe().account;
  const navigate = useNavigate();
  const [typed, setTyped] = useState(text);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const number = await readPhone(typed, country);
    await navigate({ to: '/handset', search: { number } });
  };
  const change = (next: string) => {
    setTyped(next);
    onText(next);
  };
  return (
    <form role="search" onSubmit={(event) => void submit(event)} className="flex items-end gap-2 px-5 pb-4">
      <Field label={t.other} className="min-w-0 flex-1">
        {(links) => (
          <Input
            {...links}
            type="search"
            value={typed}
            onChange={(event) => change(event.target.value)}
            inputMode="tel"
            placeholder="0812 3456 7890"
            required
          />
        )}
      </Field>
      <Button type="submit" className="h-10 sm:h-10">
        {t.open}
      </Button>
    </form>
  );
}
